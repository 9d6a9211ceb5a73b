import type { Fact } from '../../facts/fact';
import { type Guard, type JudgedRow, judgeRow } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import {
  badAnswers,
  heartbeatFaults,
  lateFaults,
  registrationFaults,
  standstillFaults,
} from '../../nmos/load/load-judgement';
import { resourcesPerNode } from '../../nmos/load/simulated-node';
import type { Thresholds } from '../../protocol/thresholds';
import { scaleContradictions } from './contradictions';
import type { NmosScaleParameters } from './declaration';
import { guardsWithStandstills } from './own-processes';
import { expectedResources, forgottenOf, type PartReadings } from './part-readings';

type JudgedBy = Pick<
  NmosScaleParameters,
  'waitSeconds' | 'heartbeatSeconds' | 'httpTimeoutSeconds' | 'expirySeconds'
>;

/** @param guards of the row beside registry and nodes: stolen time, sleep, what other programs took */
export function judge(
  measured: PartReadings,
  parameters: JudgedBy,
  thresholds: Thresholds,
  guards: readonly Guard[],
): JudgedRow {
  const { part, report, isLate } = measured;
  const { figures, recovery } = report;
  const isRegistration = part === 'registration';
  const lateSeconds = isLate ? parameters.waitSeconds : null;
  const hasNodes = isRegistration || (recovery && recovery.nodes > 0);
  // In a break, and at the end of a registry, requests cannot be answered.
  const failed = [
    ...(isRegistration
      ? registrationFaults(figures, lateSeconds)
      : registrationFaults(figures, null, noAnswer)),
    ...(isRegistration ? heartbeatFaults(figures) : recoveryFaults(measured, parameters.waitSeconds)),
    // A registry that forgot a node in the break answers 404; the time that this takes is judged.
    ...(isRegistration ? [] : badAnswers('heartbeat', figures.answers.heartbeat, [...noAnswer, '404'])),
    ...badAnswers('removal', figures.answers.removal, removedForRegistration),
    ...lostResources(measured),
    ...forgottenResources(measured, parameters),
    ...forgottenEarly(measured, parameters),
  ];
  const busy = busyFacts(measured.busyBeforePercent, thresholds.maxOthersPercent);
  const doubts = [...doubtsOf(measured), ...(failed.length > 0 ? [] : busy)];
  const { isStopped, ...own } = guardsWithStandstills(guards, measured, thresholds);
  return judgeRow({
    // Nodes that stood still, or were not there, asked less of the registry than the row says.
    contradictions: [
      ...scaleContradictions(measured),
      // A process that is stopped stalls too.
      ...(isStopped ? [] : report.stalls.flatMap((stall) => standstillFaults('load-stood-still', stall))),
      ...(hasNodes ? [] : [reasonOf('no-node-to-return', {})]),
    ],
    findings: [
      ...failed.map((fact) => ({ verdict: 'FAIL', fact, kind: 'loss' }) as const),
      ...doubts.map((fact) => ({ verdict: 'WARN', fact, kind: 'remark' }) as const),
    ],
    ...own,
    good: [goodFact(measured)],
  });
}

const noAnswer = ['none'];
/** A node that is in the registry in another version is removed in each that it might have. */
const removedForRegistration = ['404'];

function recoveryFaults({ report, isLate }: PartReadings, waitSeconds: number): Fact[] {
  const { nodes = 0, back = 0 } = report.recovery ?? {};
  if (back < nodes) return [reasonOf('nodes-not-back', { back, nodes, waitSeconds })];
  return lateFaults(nodes, isLate ? waitSeconds : null);
}

/** The remaining registry knows all nodes by replication, so nodes that come in time get no 404. */
function forgottenResources({ part, fewest, report }: PartReadings, parameters: JudgedBy): Fact[] {
  const { heartbeatSeconds, httpTimeoutSeconds, expirySeconds } = parameters;
  const forgotten = forgottenOf(report);
  if (part !== 'registry killed' || fewest === null) return [];
  const { resources, expected } = fewest;
  if (resources >= expected && forgotten === 0) return [];
  // In the worst case a node waits a whole interval for its next heartbeat, and then for the time-out of the answer.
  const noticeSeconds = heartbeatSeconds + httpTimeoutSeconds;
  const tooShort = noticeSeconds >= expirySeconds && { noticeSeconds, expirySeconds };
  return [reasonOf('resources-forgotten', { fewest: resources, expected, forgotten, ...tooShort })];
}

/** After a silence so short no registry may have removed a node; after a cut link TCP may have been silent for longer. */
function forgottenEarly({ break: broken, report }: PartReadings, parameters: JudgedBy): Fact[] {
  const { heartbeatSeconds, expirySeconds } = parameters;
  const forgotten = forgottenOf(report);
  if (broken?.by !== 'silence' || forgotten === 0) return [];
  const { seconds } = broken;
  return seconds + heartbeatSeconds < expirySeconds
    ? [reasonOf('nodes-removed-early', { forgotten, seconds, heartbeatSeconds, expirySeconds })]
    : [];
}

function busyFacts(percent: number | null, limitPercent: number): Fact[] {
  return percent !== null && percent >= limitPercent
    ? [reasonOf('busy-before', { percent, limitPercent })]
    : [];
}

function lostResources({ counted, report }: PartReadings): Fact[] {
  const expected = expectedResources(report);
  if ('why' in counted || counted.ours >= expected) return [];
  return [reasonOf('resources-lost', { there: counted.ours, expected })];
}

function doubtsOf({ counted }: PartReadings): Fact[] {
  if ('why' in counted) return [reasonOf('registry-uncounted', { why: counted.why })];
  const { leftOver } = counted;
  return leftOver > 0 ? [reasonOf('resources-left-over', { leftOver })] : [];
}

function goodFact({ part, report }: PartReadings): Fact {
  const { figures, recovery } = report;
  if (part === 'registration') {
    const lastSeconds = figures.times?.lastSeconds ?? null;
    const heartbeats = figures.heartbeat?.count ?? 0;
    return reasonOf('nodes-held', { nodes: figures.nodes, resourcesPerNode, lastSeconds, heartbeats });
  }
  const data = { nodes: recovery?.nodes ?? 0, lastSeconds: recovery?.times?.lastSeconds ?? null };
  if (part === 'break') return reasonOf('nodes-back', { ...data, forgotten: forgottenOf(report) });
  return reasonOf('nodes-moved', data);
}
