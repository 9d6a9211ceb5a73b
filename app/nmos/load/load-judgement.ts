import type { Fact } from '../../facts/fact';
import { type Guard, type JudgedRow, judgeRow, spoilsFigures } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { RequestKind } from '../node/registry-session';
import type { LoadFigures } from './load-figures';
import { resourcesPerNode } from './simulated-node';
import type { Standstill } from './standstill';

/** After a longer stall, heartbeats may be late without a fault of the registry. */
export const mostStandstillMs = 1000;
/** Above this, the run measures the load process and not the registry. */
export const mostStandstillPercent = 40;

type Answers = LoadFigures['answers'];

/** Of a load on one of several machines. */
export interface MachineStandstill extends Standstill {
  /** Its name; absent if there is one. */
  machine?: string;
}

/** The end of a load, in which it removes its nodes. */
export interface Removal {
  /** Answers to all removals since the load began. */
  answers: Answers['removal'];
  /** Nodes that could not be removed. */
  staying: number;
}

/** What registries hold of a load while its nodes are registered. */
export interface Held {
  /** Resources; null: it was not counted. */
  there: number | null;
  expected: number;
  /** Why it was not counted. */
  why: string;
}

/**
 * Of a load that was held until its end.
 * @param figures before the removal
 * @param stall of the event loop of the load process, until the end of the removal
 * @param lateSeconds the time limit, if some nodes took longer; otherwise null
 * @param guards for what other programs took of this machine, and for how the load process stood still until then
 * @param held of all registries together
 */
export function judgeLoad(
  figures: LoadFigures,
  stall: Standstill,
  lateSeconds: number | null,
  removal: Removal,
  { others, own }: { others: Guard; own: readonly Guard[] },
  held: Held,
): JudgedRow {
  const { nodes, times, heartbeat } = figures;
  const faults = [
    ...registrationFaults(figures, lateSeconds),
    ...heartbeatFaults(figures),
    ...removalFaults(figures.answers.removal, removal),
    ...heldFaults(held),
  ];
  // A process that is stopped stalls too.
  const guards = [...spoilingTimes(own), others];
  const isStopped = guards.some(spoilsFigures);
  const lastSeconds = times?.lastSeconds ?? null;
  const data = { nodes, resourcesPerNode, lastSeconds, heartbeats: heartbeat?.count ?? 0 };
  return judgeRow({
    // Nodes that stood still asked less of the registry than was asked for.
    contradictions: isStopped ? [] : standstillFaults('load-stood-still', stall),
    findings: faults.map((fact) => ({ verdict: 'FAIL', fact, kind: 'loss' })),
    guards,
    good: [
      reasonOf('nodes-held', data),
      ...(held.there === null
        ? [reasonOf('not-checked', { what: 'whether the registry holds their resources', why: held.why })]
        : []),
    ],
  });
}

/** The figures of a load are times: they prove nothing about a registry while it, or who asks it, was stopped. */
export function spoilingTimes(own: readonly Guard[]): Guard[] {
  return own.map((guard) =>
    guard.state !== 'fine' && guard.about === undefined ? { ...guard, spoilsFigures: true } : guard,
  );
}

/** Answers are well and good: what was registered has to be found as well. */
function heldFaults({ there, expected }: Held): Fact[] {
  return there !== null && there < expected ? [reasonOf('resources-lost', { there, expected })] : [];
}

/** @param code names the process */
export function standstillFaults(
  code: 'load-stood-still' | 'controller-stood-still',
  { standstillMs, standstillPercent, machine }: MachineStandstill,
): Fact[] {
  const where = machine !== undefined && { machine };
  if (standstillMs > mostStandstillMs) return [reasonOf(code, { standstillMs, ...where })];
  return standstillPercent > mostStandstillPercent
    ? [reasonOf(code, { standstillPercent, limitPercent: mostStandstillPercent, ...where })]
    : [];
}

/** @param waitSeconds the time limit, if some nodes took longer; null: all were in time */
export function lateFaults(nodes: number, waitSeconds: number | null): Fact[] {
  return waitSeconds === null ? [] : [reasonOf('nodes-late', { nodes, waitSeconds })];
}

/** @param expected as `badAnswers` */
export function registrationFaults(
  { nodes, registered, refused, answers }: LoadFigures,
  lateSeconds: number | null,
  expected: readonly string[] = [],
): Fact[] {
  return [
    ...(registered < nodes
      ? [reasonOf('nodes-unregistered', { registered, nodes, causes: causesText(answers.registration) })]
      : [...lateFaults(nodes, lateSeconds), ...badAnswers('registration', answers.registration, expected)]),
    ...(refused > 0 ? [reasonOf('nodes-refused', { refused })] : []),
  ];
}

/** Bad answers to registrations: "no answer: 750, 503: 3"; empty if all was well. */
function causesText(answers: Answers['registration']): string {
  if (Object.keys(answers).length === 0) return 'no registration was answered yet';
  return statusesText(badOf('registration', answers));
}

/** What IS-04 answers where all is well. A node that the registry holds in another version (409) is removed first. */
const goodStatuses: Record<RequestKind, readonly string[]> = {
  registration: ['200', '201', '409'],
  heartbeat: ['200'],
  removal: ['204'],
};

/** @param expected statuses that the situation explains, such as no answer while a link is cut */
export function badAnswers(
  kind: RequestKind,
  answers: Readonly<Record<string, number>>,
  expected: readonly string[] = [],
): Fact[] {
  const bad = badOf(kind, answers, expected);
  const count = bad.reduce((sum, [, one]) => sum + one, 0);
  return count > 0 ? [reasonOf('answers-unexpected', { kind, count, statuses: statusesText(bad) })] : [];
}

function badOf(
  kind: RequestKind,
  answers: Readonly<Record<string, number>>,
  expected: readonly string[] = [],
): [status: string, count: number][] {
  const fine = [...goodStatuses[kind], ...expected, 'underway'];
  return Object.entries(answers).filter(([status, count]) => count > 0 && !fine.includes(status));
}

function statusesText(bad: readonly [status: string, count: number][]): string {
  return bad.map(([status, count]) => `${status === 'none' ? 'no answer' : status}: ${count}`).join(', ');
}

/** What the registry does not have any more at the end (404), it lost, or somebody else removed it. */
function removalFaults(before: Answers['removal'], { answers, staying }: Removal): Fact[] {
  const ofEnd = Object.fromEntries(
    Object.entries(answers).map(([status, count]) => [status, count - (before[status] ?? 0)]),
  );
  return [...badAnswers('removal', ofEnd), ...(staying > 0 ? [reasonOf('nodes-staying', { staying })] : [])];
}

export function heartbeatFaults({ heartbeatsMissed: missed, missedBy }: LoadFigures): Fact[] {
  const { none: unanswered = 0, late = 0, '404': unknown = 0 } = missedBy;
  const data = { missed, unanswered, late, unknown, refused: missed - unanswered - late - unknown };
  return missed > 0 ? [reasonOf('heartbeats-missed', data)] : [];
}
