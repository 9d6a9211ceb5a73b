import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import { fewerValuesText, leastValues } from '../../facts/distribution';
import type { Fact } from '../../facts/fact';
import type { Figure } from '../../facts/figure';
import { reasonOf } from '../../facts/reason-words';
import { ofEach, type Reasoned, type ReasonedFigures } from '../../facts/reasoned';
import type { ClosedRow } from '../../facts/row';
import type { Verdict } from '../../facts/verdict';
import type { Thresholds } from '../../protocol/thresholds';
import { pacingDeclaration } from './declaration';
import { type EndNames, judge } from './judgement';
import type { PacingReadings } from './measure';
import type { PacerMessageOf } from './pacer-program';
import { type PathKind, pathWords } from './path';
import { labelOf, type RowPlan } from './stream-plan';
import type { Beside } from './streams-beside';

type Intervals = PacerMessageOf<'intervals'>;
type Frame = RowFrame & { index: number };

/** As in native/helpers/pacer/reports.cc. */
export const curvePercents = [
  ...[0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70],
  ...[75, 80, 85, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.98, 99.99, 99.999],
];

const noPacket = 'fewer than two packets came';
const foreignSender = 'another sender’s: its schedule and its threads are not known';
const ownClock = 'the card’s clock is its own, and has no place on the schedule';
const twoClocks =
  'the two machines have no common clock: it is not known when a packet was due by that of the receiver';
const notAsked = 'not asked for (transmitStamps)';
const nothingBeside = 'nothing was asked for beside the packets (beside)';
const noStream = 'no stream ran beside, or its frames could not be counted';
const noSpin = 'this method does not spin';

/** A row’s packets. */
export interface RowReadings extends PacingReadings {
  /** What ran beside them; null: nothing was asked for beside. */
  beside: Beside | null;
  /** Of the ends, where they are on two machines. */
  machines?: EndNames | undefined;
}

export function pacedRow(
  frame: Frame,
  plan: RowPlan | null,
  measured: RowReadings,
  path: PathKind,
  thresholds: Thresholds,
): ClosedRow {
  const { machines = null } = measured;
  const isOneClock = machines === null;
  const known: ReasonedFigures = {
    'pacing.path': [pathWords[path]],
    'pacing.stamps': [measured.listening.stamps],
    ...intervalFigures('pacing.interval', measured.intervals.received, noPacket),
    ...wholeDistribution(measured),
    ...undisturbedFigures(measured, plan, isOneClock),
    ...spreadFigures('pacing.submit', measured.intervals.submitted, plan ? noPacket : foreignSender),
    ...spreadFigures('pacing.transmit', measured.intervals.transmitted, plan ? notAsked : foreignSender),
    ...countFigures(measured, plan, isOneClock),
    ...besideFigures(measured.beside),
  };
  const { beside } = measured;
  const absent =
    beside?.ran === false ? [reasonOf('streams-beside-absent', { streams: beside.streams })] : [];
  const cpuPercent = (beside?.streams ?? 0) > 0 ? frame.cpuPercent : null;
  const judged = judge(measured, { guards: frame.guards, absent, cpuPercent, machines, thresholds });
  return {
    ...rowOf(frame, plan, known, judged),
    details: detailsOf(measured),
  };
}

/** Of a method that cannot be measured here. */
export function unmeasuredRow(frame: Frame, plan: RowPlan, fact: Fact, why: string): ClosedRow {
  const steps = pacingDeclaration.columns.filter(({ role }) => role === 'step').map(({ metric }) => metric);
  const ids = pacingDeclaration.columns.map(({ metric }) => metric).filter((id) => !steps.includes(id));
  const known = ofEach(ids, () => [null, why]);
  return rowOf(frame, plan, known, { verdict: 'WARN', reason: [fact] });
}

/** Of a pacer that failed in the middle of its row. */
export function failedRow(frame: Frame, plan: RowPlan | null, why: string): ClosedRow {
  return rowOf(frame, plan, {}, { verdict: 'INVALID', reason: [reasonOf('pacer-failed', { why })] });
}

function rowOf(
  { index, ...frame }: Frame,
  plan: RowPlan | null,
  known: ReasonedFigures,
  judged: { verdict: Verdict; reason: Fact[] },
): ClosedRow {
  const row = tableRow(frame, index, plan ? labelOf(plan) : 'listen', undefined);
  const step: ReasonedFigures = plan
    ? {
        'pacing.method': [plan.method],
        'pacing.packetsPerWakeUp': [plan.packetsPerWakeUp],
        ...(plan.streams !== null && { 'pacing.streamsBeside': [plan.streams] }),
      }
    : { 'pacing.method': ['listen'] };
  return { ...withFigures(withFigures(row, noSteps, known), pacingDeclaration, step), ...judged };
}

/** What was measured, or could not be, is no step. */
const noSteps = { columns: [] };

function intervalFigures(id: string, of: Intervals | undefined, why: string): Record<string, Reasoned> {
  return {
    ...spreadFigures(id, of, why),
    [`${id}.meanNs`]: [of?.meanNs, why],
    [`${id}.minNs`]: [of?.minNs, why],
    [`${id}.maxNs`]: [of?.maxNs, why],
    [`${id}.p50Ns`]: [of?.p50Ns, why],
    [`${id}.p99Ns`]: [of?.p99Ns, why],
    [`${id}.p9999Ns`]: tailOf(of, 'p9999', why),
  };
}

function spreadFigures(id: string, of: Intervals | undefined, why: string): Record<string, Reasoned> {
  return {
    [`${id}.sdNs`]: [of?.sdNs, why],
    [`${id}.rangeNs`]: [difference(of?.maxNs, of?.minNs), why],
    [`${id}.iqrNs`]: [difference(of?.p75Ns, of?.p25Ns), why],
    [`${id}.p001Ns`]: tailOf(of, 'p001', why),
    [`${id}.p999Ns`]: tailOf(of, 'p999', why),
  };
}

function tailOf(of: Intervals | undefined, percentile: keyof typeof leastValues, why: string): Reasoned {
  const value = of?.[`${percentile}Ns`];
  if (!of || value === undefined) return [value, why];
  return of.count < leastValues[percentile] ? [null, fewerValuesText(percentile)] : [value, why];
}

function wholeDistribution({ intervals: { received }, seconds }: PacingReadings): Record<string, Reasoned> {
  const curve = received?.curveNs?.map((ns, index): [number, number] => [
    curvePercents[index] ?? 0,
    ns / 1000,
  ]);
  const { firstBin, binCounts } = received ?? {};
  const withIntervals = seconds.filter(({ intervals: count }) => count > 0);
  const over = (ns: (second: PacerMessageOf<'second'>) => number): Figure => ({
    points: withIntervals.map((second): [number, number] => [second.second, ns(second) / 1000]),
  });
  const histogram = firstBin === undefined || !binCounts ? undefined : { firstBin, counts: binCounts };
  return {
    'pacing.interval.curve': [curve && { points: curve }, noPacket],
    'pacing.interval.histogram': [histogram, noPacket],
    'pacing.interval.longestUs': [over(({ maxNs }) => maxNs), ''],
    'pacing.interval.shortestUs': [over(({ minNs }) => minNs), ''],
  };
}

function undisturbedFigures(
  measured: PacingReadings,
  plan: RowPlan | null,
  isOneClock: boolean,
): Record<string, Reasoned> {
  const { received, intervals, listening } = measured;
  const isUndecided = received.undecided > 0;
  const why = isOneClock ? whyNoWindows(plan, listening.stamps, isUndecided) : twoClocks;
  const of = why === null ? intervals.undisturbed : undefined;
  const all = intervals.received?.count ?? 0;
  return {
    ...spreadFigures('pacing.undisturbed', of, why ?? 'something held the sender all the time'),
    'pacing.excludedPercent': [
      why === null && all > 0 ? (100 * received.excluded) / all : null,
      why ?? noPacket,
    ],
  };
}

function whyNoWindows(
  plan: RowPlan | null,
  stamps: 'hardware' | 'software',
  isUndecided: boolean,
): string | null {
  if (!plan) return foreignSender;
  if (stamps === 'hardware') return ownClock;
  return isUndecided ? 'the sender’s windows came too late for some of the intervals' : null;
}

function countFigures(
  measured: PacingReadings,
  plan: RowPlan | null,
  isOneClock: boolean,
): Record<string, Reasoned> {
  const { received, sent, policy, listening, measuredSeconds } = measured;
  const isOnSchedule = plan !== null && isOneClock && listening.stamps === 'software';
  const whyNot = plan === null ? foreignSender : isOneClock ? ownClock : twoClocks;
  const onSchedule = (value: number | undefined): Reasoned => [
    isOnSchedule ? value : null,
    isOnSchedule ? noPacket : whyNot,
  ];
  const { tooLateToPresent } = received;
  const missed = tooLateToPresent === undefined ? undefined : (100 * tooLateToPresent) / received.received;
  const cpu = (ns: number | undefined): number | undefined =>
    ns === undefined ? undefined : ns / 1e7 / measuredSeconds;
  return {
    'pacing.packetsSent': [sent?.sent, foreignSender],
    'pacing.packetsLost': [received.lost, ''],
    'pacing.packetsReordered': [received.reordered, ''],
    'pacing.packetsDuplicated': [received.duplicated, ''],
    'pacing.packetsEarly': onSchedule(received.early),
    'pacing.packetsLate': onSchedule(received.late),
    'pacing.longestLateRun': onSchedule(received.longestLateRun),
    'pacing.missedPercent': onSchedule(missed),
    'pacing.timeIntervalErrorNs': [received.timeIntervalErrorNs, noPacket],
    'pacing.holds': [plan?.method === 'spin' ? measured.holds : null, plan ? noSpin : foreignSender],
    'pacing.stolenWindows': [plan ? measured.stolenWindows : null, foreignSender],
    'pacing.foreignPackets': [received.foreign + received.otherAudio, ''],
    'pacing.damagedPackets': [received.damaged, ''],
    'pacing.overflowed': [received.overflowed, ''],
    'pacing.wakeUpsPerSecond': [sent ? sent.wakeUps / measuredSeconds : null, foreignSender],
    'pacing.senderCpuPercent': [cpu(sent?.processorNs), foreignSender],
    'pacing.receiverCpuPercent': [cpu(received.processorNs), ''],
    'pacing.slewPpm': [received.slewPpm, ''],
    'pacing.policy': [policy ? policyText(policy) : null, foreignSender],
  };
}

function besideFigures(beside: Beside | null): Record<string, Reasoned> {
  const why = beside ? noStream : nothingBeside;
  const streams: Record<string, Reasoned> = beside ? {} : { 'pacing.streamsBeside': [null, nothingBeside] };
  return {
    ...streams,
    'pacing.pathMbps': [beside?.pathMbps, nothingBeside],
    'pacing.besideFramesReceived': [beside?.frames?.received, why],
    'pacing.besideFramesMissing': [beside?.frames?.missing, why],
  };
}

function policyText(policy: PacerMessageOf<'prepared'>): string {
  const { realTimePriority, timerSlackNs, lockedMemory, cores, refused } = policy;
  const slack = timerSlackNs === null ? 'timer slack not known' : `timer slack ${timerSlackNs} ns`;
  const scheduler = realTimePriority > 0 ? `SCHED_FIFO ${realTimePriority}` : `ordinary, ${slack}`;
  const where = cores.length === 1 ? `core ${cores[0]}` : `${cores.length} cores`;
  const memory = lockedMemory ? 'locked memory' : 'ordinary memory';
  return [scheduler, where, memory, ...(refused === '' ? [] : [`refused: ${refused}`])].join(', ');
}

/** Places, and what is too fine for a table. */
function detailsOf({ received, sent, policy, listening, ...measured }: PacingReadings): ClosedRow['details'] {
  const { lostRanges, latecomers, duplicates, latest = [] } = received;
  return {
    ...{ lostRanges, latecomers, duplicates, latest },
    ...{ clockSteps: received.clockSteps, clockUncertaintyNs: received.clockUncertaintyNs },
    ...{ bufferBytes: listening.bufferBytes, heldNs: measured.heldNs, stolenNs: measured.stolenNs },
    ...(sent && { launchesMissed: sent.launchesMissed, launchesRefused: sent.launchesRefused }),
    ...(sent && { refusedByQueue: sent.refused }),
    standstills: { sender: sent && standstillOf(sent), receiver: standstillOf(received) },
    ...(policy && { policy }),
    ...(received.streamId !== undefined && {
      stream: {
        id: BigInt(received.streamId).toString(16).padStart(16, '0'),
        ...{ rateHz: received.rateHz, channels: received.channels, bits: received.bits },
      },
    }),
    ...(measured.startNs !== null && { startNs: measured.startNs }),
    ...(measured.rawLog !== null && { rawLog: measured.rawLog.stamps, holdsLog: measured.rawLog.holds }),
  };
}

function standstillOf({ stoppedNs, starvedNs }: { stoppedNs: number; starvedNs: number }) {
  return { stoppedNs, starvedNs };
}

function difference(most: number | undefined, least: number | undefined): number | undefined {
  return most === undefined || least === undefined ? undefined : most - least;
}
