import type { Histogram } from 'hdr-histogram-js';
import type { LoadSample } from '../../../protocol/load';
import { type Latency, latencySchema, type Row, type StreamRow } from '../../../protocol/row';
import type { Thresholds } from '../../../protocol/thresholds';
import { isoOf } from '../../clock';
import { hostLoad, instrumentLoad, summarise, unknownLoad } from '../../load/window';
import { RangeCounter } from '../counting/range-counter';
import type { RangeCounts } from '../counting/stream-ledger';
import type { Stream } from '../stream';
import { type Circumstances, type Judgement, judgeStream, worstOf } from './judgement';

export interface MeasuredStream {
  stream: Stream;
  /** Null: no frame ever came, or the sender never began. */
  counts: RangeCounts | null;
  counter: RangeCounter | null;
  framesPerSecond: number;
}

export interface RowInput {
  index: number;
  fromNs: number;
  toNs: number;
  streams: MeasuredStream[];
  samples: LoadSample[];
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Mean loopback traffic of row 0; null before there is one. */
  baselineMbps: number | null;
  instrumentFaults: string[];
  /** The senders are not ours: their machine's load is not known. */
  senderElsewhere: boolean;
}

const reasons = {
  framesMissing: 'the sender’s own records are known: see framesDropped and framesSenderMissed',
  framesDisplayMissed: 'no display window is counted yet',
  lateUntold: 'the sender’s records do not tell which pictures came late',
  lateCommand: 'ffmpeg plays the movie: it does not tell its disk from its decoding',
  sender: 'the sender’s own records are not known: see framesMissing',
  otherClock: 'no clock offset to the sender’s machine is known',
  bitratePerStream: 'the kernel counts traffic by interface, not by stream',
  noStream: 'the row has no stream',
  elsewhere: 'the sender is not one of ours, its machine is not sampled',
  noFrame: 'no frame was captured in the row',
  clock: 'captures seem older than their release: the clocks disagree',
} as const;

type Counts = Omit<
  StreamRow,
  'streamId' | 'name' | 'firstFrame' | 'lastFrame' | 'droppedFrames' | 'missedFrames' | 'notMeasured'
>;

/** Builds a row out of what was counted and sampled; the one place where totals are summed. */
export function buildRow(input: RowInput): Row {
  const sender = input.senderElsewhere ? unknownLoad(reasons.elsewhere) : hostLoad(input.samples, 'sending');
  const receiver = hostLoad(input.samples, 'receiving');
  const instrument = instrumentLoad(input.samples);
  const traffic = trafficMbps(input);
  const load = (side: typeof sender): number | null => {
    const known = [side.load.cpuMaxPercent, side.load.gpuMaxPercent].filter(
      (value): value is number => value !== null,
    );
    return known.length > 0 ? Math.max(...known) : null;
  };
  const circumstances = {
    senderLoadPercent: load(sender),
    receiverLoadPercent: load(receiver),
    instrumentFaults: input.instrumentFaults,
  };
  const judged = input.streams.map((measured) => judge(measured, input.thresholds, circumstances));
  const perStream = input.streams.map((measured, index) =>
    streamRow(
      measured,
      judged[index] ?? { verdict: 'FAIL', reason: '', senderMissed: false },
      input,
      traffic,
    ),
  );
  const named = judged.map((judgement, index) => withName(judgement, input.streams, index));
  const worst = judged.length > 0 ? worstOf(named) : baselineJudgement(input.instrumentFaults);
  const notMeasured: Record<string, string> = {};
  for (const [side, window] of [
    ['sender', sender],
    ['receiver', receiver],
    ['instrument', instrument],
  ] as const) {
    for (const [field, reason] of Object.entries(window.notMeasured))
      notMeasured[`${side}.${field}`] = reason;
  }
  const totals = totalsOf(perStream, input, traffic, notMeasured);
  return {
    row: input.index,
    streams: input.streams.length,
    startedAt: isoOf(input.fromNs, input.wallOffsetUs),
    endedAt: isoOf(input.toNs, input.wallOffsetUs),
    measuredSeconds: (input.toNs - input.fromNs) / 1e9,
    senderMissed: worst.senderMissed,
    ...totals,
    verdict: worst.verdict,
    reason:
      input.streams.length === 0 && worst.verdict === 'PASS'
        ? 'baseline: the source plays, no stream'
        : worst.reason,
    sender: sender.load,
    receiver: receiver.load,
    instrument: instrument.load,
    perStream,
    notMeasured,
  };
}

/** In a row of several streams the reason says whose it is; a sender has one receiver, of the same name. */
function withName(judgement: Judgement, streams: MeasuredStream[], index: number): Judgement {
  const name = streams[index]?.stream.name;
  if (streams.length < 2 || judgement.verdict === 'PASS' || !name) return judgement;
  return { ...judgement, reason: `${name}: ${judgement.reason}` };
}

function baselineJudgement(faults: string[]): Judgement {
  if (faults.length > 0) return { verdict: 'INVALID', reason: faults.join('; '), senderMissed: false };
  return { verdict: 'PASS', reason: '', senderMissed: false };
}

function judge(
  measured: MeasuredStream,
  thresholds: Thresholds,
  circumstances: Omit<Circumstances, 'lateDisk'>,
): Judgement {
  if (measured.counts && measured.stream.firstCaptureNs > 0)
    return judgeStream(measured.counts, thresholds, {
      ...circumstances,
      lateDisk: measured.stream.source.lateDisk,
    });
  const reason = `no frame within ${thresholds.connectTimeoutSeconds} s of adding ${measured.stream.name}`;
  return { verdict: 'FAIL', reason, senderMissed: false };
}

/** Traffic of all streams: mean over loopback less the baseline's. */
function trafficMbps(input: RowInput): number | null {
  const mean = summarise(input.samples.map((sample) => sample.loopbackMbps))?.mean ?? null;
  return mean === null || input.baselineMbps === null ? null : Math.max(0, mean - input.baselineMbps);
}

function streamRow(
  measured: MeasuredStream,
  judgement: Judgement,
  input: RowInput,
  traffic: number | null,
): StreamRow {
  const { stream, counts, counter } = measured;
  const notMeasured: Record<string, string> = {
    framesDisplayMissed: reasons.framesDisplayMissed,
  };
  const alone = input.streams.length === 1;
  if (!alone || traffic === null)
    notMeasured.bitrateMbps = alone ? 'no baseline to compare with' : reasons.bitratePerStream;
  const latencyMs = latencyOf(counter?.latencyUs ?? null);
  if (latencyMs.p50 === null) {
    const olderThanRelease = (counter?.negativeLatencies ?? 0) > 0 ? reasons.clock : reasons.noFrame;
    const otherClock = stream.ledger?.identity.wallOffsetUs === null;
    noteLatency(notMeasured, otherClock ? reasons.otherClock : olderThanRelease);
  }
  if ((counter?.codeHealthMin ?? null) === null) notMeasured.codeHealthMin = reasons.noFrame;
  if (stream.connectMs === null) notMeasured.connectMs = 'no frame was captured yet';
  const tally = counts?.tally;
  const attributed = stream.ledger?.identity.assumeSubmitted !== true;
  const unknown = unknownKeys(stream, counts);
  for (const key of unknown.keys) notMeasured[key] = unknown.reason;
  if (attributed) notMeasured.framesMissing = reasons.framesMissing;
  if (!counts) for (const key of countKeys) notMeasured[key] ??= 'the sender wrote no record';
  const range = counts && counts.last >= counts.first ? counts : null;
  if (!range) for (const key of rangeKeys) notMeasured[key] = 'no slot of the stream lies in the row';
  const row: StreamRow = {
    streamId: stream.id,
    name: stream.name,
    firstFrame: range?.first ?? null,
    lastFrame: range?.last ?? null,
    droppedFrames: tally?.droppedSlots ?? [],
    missedFrames: tally?.missedSlots ?? [],
    framesScheduled: tally?.scheduled ?? null,
    framesLateSource: tally?.lateSource ?? null,
    framesLateSourceDisk: tally?.lateCauses.Disk ?? null,
    framesLateSourceDecode: tally?.lateCauses.Decode ?? null,
    framesLateSourceDamaged: tally?.lateCauses.Damaged ?? null,
    framesSenderMissed: tally?.missed ?? null,
    framesSubmitted: tally?.submitted ?? null,
    picturesCaptured: counts?.captured ?? null,
    framesReceived: counts?.received ?? null,
    framesDropped: tally?.dropped ?? null,
    framesDroppedReceiverQueue: counts?.droppedReceiverQueue ?? null,
    framesDroppedTransport: counts ? counts.tally.dropped - counts.droppedReceiverQueue : null,
    framesMissing: attributed ? null : (tally?.dropped ?? null),
    framesDuplicated: counts?.duplicated ?? null,
    framesReordered: counts?.reordered ?? null,
    framesTorn: counts?.torn ?? null,
    framesDamaged: counts?.damaged ?? null,
    framesUndecodable: tally?.matched ?? null,
    framesUndecodableUnmatched: counts?.undecodableUnmatched ?? null,
    framesDisplayMissed: null,
    stalls: counts?.stalls ?? null,
    worstWindowLost: tally?.worstWindowLost ?? null,
    longestGapMs: counts?.longestGapMs ?? null,
    connectMs: stream.connectMs,
    codeHealthMin: counter?.codeHealthMin ?? null,
    latencyMs,
    latencyFramesP50: latencyMs.p50 === null ? null : (latencyMs.p50 / 1000) * measured.framesPerSecond,
    bitrateMbps: alone ? traffic : null,
    conserved: counts?.conserved ?? null,
    verdict: judgement.verdict,
    reason: judgement.reason,
    notMeasured,
  };
  for (const key of unknown.keys) row[key] = null;
  return row;
}

/** Figures of the sender that its records do not tell, and why. */
function unknownKeys(
  { ledger }: Stream,
  counts: RangeCounts | null,
): { keys: readonly SenderKey[]; reason: string } {
  if (ledger?.identity.assumeSubmitted) return { keys: attributedKeys, reason: reasons.sender };
  if (ledger?.source.tellsLatePictures === false) return { keys: lateKeys, reason: reasons.lateUntold };
  if (counts && counts.tally.lateCauses.Command > 0)
    return { keys: lateCauseKeys, reason: reasons.lateCommand };
  return { keys: [], reason: '' };
}

const lateCauseKeys = ['framesLateSourceDisk', 'framesLateSourceDecode', 'framesLateSourceDamaged'] as const;

const lateKeys = ['framesLateSource', ...lateCauseKeys] as const;

/** Figures that need the sender's own records. */
const attributedKeys = [
  'framesScheduled',
  ...lateKeys,
  'framesSenderMissed',
  'framesSubmitted',
  'framesDropped',
  'framesDroppedReceiverQueue',
  'framesDroppedTransport',
] as const;

type SenderKey = (typeof attributedKeys)[number];

const summedKeys = [
  'framesScheduled',
  ...lateKeys,
  'framesSenderMissed',
  'framesSubmitted',
  'picturesCaptured',
  'framesReceived',
  'framesDropped',
  'framesDroppedReceiverQueue',
  'framesDroppedTransport',
  'framesDuplicated',
  'framesReordered',
  'framesTorn',
  'framesDamaged',
  'framesUndecodable',
  'framesUndecodableUnmatched',
  'stalls',
] as const satisfies readonly (keyof Counts)[];

const rangeKeys = ['firstFrame', 'lastFrame'] as const;

const countKeys = [...summedKeys, 'worstWindowLost', 'longestGapMs', 'conserved'] as const;

/** Sums of the counts, worst of the rest; null as soon as one stream's figure is. */
function totalsOf(
  perStream: StreamRow[],
  input: RowInput,
  traffic: number | null,
  notMeasured: Record<string, string>,
) {
  notMeasured.framesDisplayMissed = reasons.framesDisplayMissed;
  const column = (key: keyof StreamRow): (number | null)[] =>
    perStream.map((stream) => stream[key] as number | null);
  const whole = (key: keyof StreamRow, combine: (values: number[]) => number): number | null => {
    const values = column(key).filter((value): value is number => value !== null);
    if (values.length === perStream.length && values.length > 0) return combine(values);
    const absent = perStream.find((stream) => stream[key] === null);
    notMeasured[key] = absent
      ? `${absent.name}: ${absent.notMeasured[key] ?? 'not measured'}`
      : reasons.noStream;
    return null;
  };
  const sums = {} as Record<(typeof summedKeys)[number], number | null>;
  for (const key of summedKeys) {
    sums[key] =
      perStream.length === 0 ? 0 : whole(key, (values) => values.reduce((total, value) => total + value, 0));
  }
  const largest = (values: number[]): number => Math.max(...values);
  const latencyMs = latencyOf(mergedLatency(input.streams));
  if (latencyMs.p50 === null)
    noteLatency(notMeasured, perStream[0]?.notMeasured.latencyFramesP50 ?? reasons.noStream);
  const latencyFrames = column('latencyFramesP50').filter((value): value is number => value !== null);
  if (traffic === null)
    notMeasured.bitrateMbps = input.index === 0 ? reasons.noStream : 'loopback traffic was not measured';
  return {
    ...sums,
    framesMissing:
      perStream.length === 0
        ? 0
        : whole('framesMissing', (values) => values.reduce((total, value) => total + value, 0)),
    framesDisplayMissed: null,
    worstWindowLost: whole('worstWindowLost', largest),
    longestGapMs: whole('longestGapMs', largest),
    connectMs: whole('connectMs', largest),
    codeHealthMin: whole('codeHealthMin', (values) => Math.min(...values)),
    latencyMs,
    latencyFramesP50: latencyFrames.length > 0 ? largest(latencyFrames) : null,
    bitrateMbps: traffic,
    conserved: conservedOf(perStream, notMeasured),
  };
}

/** False as soon as one stream's sums do not hold; null when one was not counted. */
function conservedOf(perStream: StreamRow[], notMeasured: Record<string, string>): boolean | null {
  if (perStream.some((stream) => stream.conserved === false)) return false;
  const uncounted = perStream.find((stream) => stream.conserved === null);
  if (!uncounted) return true;
  notMeasured.conserved = `${uncounted.name}: ${uncounted.notMeasured.conserved}`;
  return null;
}

/** The reason why a row has no latency, for each of its figures. */
function noteLatency(notMeasured: Record<string, string>, reason: string): void {
  for (const figure of Object.keys(latencySchema.shape)) notMeasured[`latencyMs.${figure}`] = reason;
  notMeasured.latencyFramesP50 = reason;
}

function mergedLatency(streams: MeasuredStream[]): Histogram {
  const merged = new RangeCounter(0).latencyUs;
  for (const { counter } of streams) if (counter) merged.add(counter.latencyUs);
  return merged;
}

function latencyOf(histogram: Histogram | null): Latency {
  if (!histogram || histogram.totalCount === 0)
    return { min: null, p50: null, p90: null, p99: null, p999: null, max: null };
  // The histogram rounds up to the end of a bucket; no percentile lies above the largest value.
  const at = (percentile: number): number =>
    Math.min(histogram.getValueAtPercentile(percentile), histogram.maxValue) / 1000;
  return {
    min: histogram.minNonZeroValue / 1000,
    p50: at(50),
    p90: at(90),
    p99: at(99),
    p999: at(99.9),
    max: histogram.maxValue / 1000,
  };
}
