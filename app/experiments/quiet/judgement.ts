import type { Fact } from '../../facts/fact';
import {
  brokenGuards,
  type Finding,
  type Guard,
  type JudgedRow,
  judgeRow,
  violatedBy,
} from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import { type Verdict, worseVerdict } from '../../facts/verdict';
import type { Thresholds } from '../../protocol/thresholds';
import type { HeldBack } from './held-back';
import type { MachineUse } from './machine-watch';
import { fleetServer, kernelThreads } from './program-times';
import { quietRules as rules } from './rules';
import type { WakeUps } from './wake-ups';

type Counts = Omit<WakeUps, 'figures'>;

/** What a row of wake-ups is judged by. */
export interface Judged {
  /** Null: the thread never woke. */
  wakeUps: Counts | null;
  heldBack: Omit<HeldBack, 'rest'> & { rest: Counts | null };
  use: Pick<MachineUse, 'othersPercent' | 'programs' | 'cores' | 'throttles'>;
  /** Null: not measured. */
  stolenMaxPercent: number | null;
  /** Frequency governors in use that keep a core from running at full speed at once. */
  slowGovernors: readonly string[];
  /** Of the row, stolen time among them. */
  guards: readonly Guard[];
  contradictions?: readonly Fact[];
}

const countIds = [
  ...['quiet.wakeUps', 'quiet.slotsOverslept', 'quiet.wakeUpsLate'],
  ...['quiet.wakeUpLatenessMs.p99', 'quiet.wakeUpLatenessMs.max'],
];
/** How many programs are named. */
const mostPrograms = 2;
const mostProcessIds = 4;
const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** Here the hypervisor is under test: what it steals fails the machine, where it makes any other row INVALID. */
const stolenCode = 'cpu-stolen';
/** So are other programs, for which our thread waits. */
const codesUnderTest: readonly string[] = [stolenCode, 'process-starved'];

export function judge(judged: Judged, thresholds: Thresholds): JudgedRow {
  const { wakeUps, heldBack, guards, contradictions } = judged;
  const whole = findingsOf(judged, thresholds);
  const stop = stopOf(judged);
  const rest = stop ? findingsOf({ ...judged, wakeUps: heldBack.rest }, thresholds) : whole;
  // Without the stop the row might have been better.
  const isOfStop = worseVerdict(worstOf(rest), worstOf(whole)) !== worstOf(rest);
  const findings = isOfStop ? whole : rest;
  const facts = findings.map(({ fact }) => fact);
  const { longestMs = 0, wakeUps: count = 0 } = wakeUps ?? {};
  const row = judgeRow({
    contradictions,
    absent: wakeUps ? [] : [reasonOf('no-wake-up')],
    findings,
    guards: [...guards.map(ofInstrument), violatedBy(isOfStop && stop ? [stop] : [])],
    good: [reasonOf('woke-in-time', { wakeUps: count, longestMs })],
  });
  const isAdvised = row.verdict === 'WARN' || row.verdict === 'FAIL';
  if (!isAdvised) return row;
  return { ...row, reason: [...row.reason, ...adviceOf(judged, facts), ...(stop ? [stop] : [])] };
}

/** What the figures of a row say without the guards: the best that it can be. */
export function bestVerdictOf(row: ClosedRow, thresholds: Thresholds): Verdict {
  // The scores judge nothing.
  if (numberOf(row, 'quiet.rateHz') === null) return 'PASS';
  const [wakeUps, overslept, late, p99Ms, longestMs] = countIds.map((id) => numberOf(row, id));
  if (!wakeUps || overslept == null || late == null || p99Ms == null || longestMs == null) return 'INVALID';
  const othersPercent = numberOf(row, 'quiet.othersCpuPercent');
  const use = { othersPercent, throttles: numberOf(row, 'quiet.throttles') };
  const counts = { wakeUps, overslept, late, p99Ms, longestMs };
  return worstOf(findingsOf({ wakeUps: counts, use, guards: [] }, thresholds));
}

/** Our process was stopped, for no longer than it may, and woke late by it. Null: it was not, or a guard says it of the whole row. */
function stopOf({ wakeUps, heldBack: { stopped, rest }, guards }: Judged): Fact | null {
  const isForLonger = brokenGuards(guards).some(({ code }) => code === 'process-stopped');
  if (!wakeUps || !stopped || isForLonger) return null;
  const slotsOf = (counts: Counts | null): number => (counts ? counts.wakeUps + counts.overslept : 0);
  return reasonOf('thread-stopped', { ...stopped, slots: slotsOf(wakeUps) - slotsOf(rest) });
}

function worstOf(findings: readonly Finding[]): Verdict {
  return findings.map(({ verdict }) => verdict).reduce<Verdict>(worseVerdict, 'PASS');
}

/** What is left of a guard where the machine is under test. */
function ofInstrument(guard: Guard): Guard {
  return guard.state === 'violated'
    ? violatedBy(guard.facts.filter(({ code }) => !codesUnderTest.includes(code)))
    : guard;
}

interface Found extends Pick<Judged, 'wakeUps' | 'guards'> {
  use: Pick<Judged['use'], 'othersPercent' | 'throttles'>;
}

function findingsOf({ wakeUps, use, guards }: Found, thresholds: Thresholds): Finding[] {
  const { maxOthersPercent } = thresholds;
  const { othersPercent, throttles } = use;
  const findings = wakeUps ? wakeUpFindings(wakeUps) : [];
  const stolen = brokenGuards(guards).filter(({ code }) => code === stolenCode);
  for (const fact of stolen) findings.push({ verdict: 'FAIL', fact, kind: 'remark' });
  if (othersPercent !== null && othersPercent >= maxOthersPercent) {
    const data = { percent: othersPercent, limitPercent: maxOthersPercent };
    findings.push({ verdict: 'WARN', fact: reasonOf('others-busy', data), kind: 'remark' });
  }
  if (throttles !== null && throttles > rules.mostThrottlesToPass) {
    const data = { times: throttles, mostTimes: rules.mostThrottlesToPass };
    findings.push({ verdict: 'WARN', fact: reasonOf('processor-throttled', data), kind: 'remark' });
  }
  return findings;
}

function wakeUpFindings(measured: Counts): Finding[] {
  const { wakeUps, overslept, late, p99Ms, longestMs } = measured;
  const findings: Finding[] = [];
  if (late > rules.mostLateToPass) {
    const isFailed = late > rules.mostLateToWarn;
    const mostLate = isFailed ? rules.mostLateToWarn : rules.mostLateToPass;
    const fact = reasonOf('wake-ups-late', { late, wakeUps, lateMs: rules.lateMs, longestMs, mostLate });
    findings.push({ verdict: isFailed ? 'FAIL' : 'WARN', fact, kind: 'loss' });
  }
  if (overslept > rules.mostSkippedToPass) {
    const data = {
      skipped: overslept,
      slots: wakeUps + overslept,
      longestMs,
      mostSkipped: rules.mostSkippedToPass,
    };
    findings.push({ verdict: 'WARN', fact: reasonOf('slots-skipped', data), kind: 'loss' });
  }
  if (p99Ms > rules.mostP99MsToPass) {
    const isFailed = p99Ms > rules.mostP99MsToWarn;
    const limitMs = isFailed ? rules.mostP99MsToWarn : rules.mostP99MsToPass;
    findings.push({
      verdict: isFailed ? 'FAIL' : 'WARN',
      fact: reasonOf('wake-ups-slow', { p99Ms, limitMs }),
      kind: 'loss',
    });
  }
  return findings;
}

/** The busiest processes of a program, up to a limit. */
function processIdsText(ids: readonly number[]): string {
  const more = ids.length - mostProcessIds;
  const named = ids.slice(0, mostProcessIds).join(', ');
  return `${ids.length === 1 ? 'process' : 'processes'} ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What to switch off, of all that took the CPU while a limit was not kept. */
function adviceOf(
  { use, heldBack, stolenMaxPercent, slowGovernors }: Judged,
  findings: readonly Fact[],
): Fact[] {
  const leastPercent = rules.leastProgramCorePercent / use.cores;
  const busy = (use.programs ?? []).filter(({ percent }) => percent >= leastPercent);
  const programs = busy
    .filter(({ name }) => name !== kernelThreads && name !== fleetServer)
    .slice(0, mostPrograms);
  const servers = busy.filter(({ name }) => name === fleetServer);
  const has = (code: string): boolean => findings.some((fact) => fact.code === code);
  const isStealing = stolenMaxPercent !== null && stolenMaxPercent >= rules.leastStolenPercent;
  const advice = [
    ...programs.map(({ name, percent, processIds }) =>
      reasonOf('close-program', { name, percent, processIds: processIdsText(processIds) }),
    ),
    ...servers.map(({ percent, processIds }) =>
      reasonOf('fleet-server-busy', { percent, processIds: processIdsText(processIds) }),
    ),
    ...(isStealing && !has(stolenCode) ? [reasonOf('busy-hypervisor', { percent: stolenMaxPercent })] : []),
    ...(slowGovernors.length > 0
      ? [reasonOf('slow-governor', { governors: slowGovernors.join(' and ') })]
      : []),
    ...heldBack.starved.map((held) => reasonOf('process-waited', { ...held })),
  ];
  // Stolen time and heat say themselves what is to be done; of others it is said what they took.
  const isSaid = advice.length > 0 || [stolenCode, 'processor-throttled', 'others-busy'].some(has);
  if (isSaid) return advice;
  const looked = [
    ...(use.programs ? ['program'] : []),
    'governor',
    ...(stolenMaxPercent === null ? [] : ['hypervisor']),
  ];
  return [reasonOf('no-cause-seen', { looked: either.format(looked) })];
}
