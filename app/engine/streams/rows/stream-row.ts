import { frameRanges } from '../../../facts/figure';
import type { Loss, Outage } from '../../../facts/loss';
import { figuresWithReasons, type ReasonedNumber } from '../../../facts/reasoned';
import { spoiltFigures, spoiltSum } from '../../../facts/spoilt';
import { gapFigures, type StreamFigures, type StreamSubject } from '../../../facts/stream-row';
import { stallSeconds } from '../../../protocol/thresholds';
import type { OwnTraffic } from '../../load/window';
import type { CaptureCounter } from '../counting/capture-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { framesIn } from '../outages';
import type { Stream } from '../stream';
import type { Judgement } from './judgement';
import type { MeasuredStream } from './measured-stream';
import { recordedOutage } from './outage-judgement';
import { programmeFigures } from './programme-figures';
import { gapPaths, type NotMeasured, noFrameOf, note, reasons } from './row-reasons';
import { type ShownInRow, shownFigures } from './shown-figures';
import { streamTimes } from './stream-times';

/** What a stream's row takes from the row around it. */
export interface RowSurroundings {
  fromNs: number;
  toNs: number;
  wallOffsetUs: number;
  /** The row as it stands. */
  isOpen: boolean;
  /** The only stream of the row: the row's traffic is its own. */
  alone: boolean;
  traffic: OwnTraffic;
  shown: ShownInRow;
  /** Guards of the row that are not fine, in words; empty: all are. */
  disturbance: string;
  /** Names of the hosts, as far as they are known. */
  hosts: StreamSubject['hosts'];
}

/** The row of one stream: each figure, or the reason why there is none. */
export function streamRow(
  measured: MeasuredStream,
  judgement: Judgement,
  losses: Loss[],
  surroundings: RowSurroundings,
): StreamSubject {
  const { stream, counter, foreign } = measured;
  const { alone, traffic, hosts } = surroundings;
  const notMeasured: NotMeasured = {};
  const counts = foreign ? foreignCounts(foreign.counts, notMeasured) : codedCounts(measured, notMeasured);
  const ofOutages = outageFigures(measured, counts, notMeasured);
  const known = figuresWithReasons({
    framesInOutages: estimateOf(measured),
    ...streamTimes(measured, surroundings),
    ...shownFigures(surroundings.shown),
    ...programmeFigures(stream, surroundings),
    connectMs: [stream.connectMs, reasons.notConnected],
    codeHealthMin: [counter?.codeHealthMin ?? null, foreign ? reasons.foreign : noFrameOf(stream)],
    lineWitnessPercent: [witnessOf(counter), foreign ? reasons.foreign : reasons.noWitness],
    bitrateMbps: alone ? [traffic.mbps, traffic.reason] : [null, reasons.bitratePerStream],
  });
  const outages = outagesOf(measured, surroundings);
  return {
    ...{ kind: 'stream', id: String(stream.id), name: stream.name, hosts },
    ...codeSource(stream),
    figures: {
      method: foreign ? 'timestamps' : 'frame-code',
      ...counts,
      ...ofOutages,
      ...known.figures,
    },
    losses,
    ...(outages.length > 0 && { outages }),
    ...{ verdict: judgement.verdict, reason: [...judgement.reason] },
    notMeasured: { ...notMeasured, ...known.notMeasured },
  };
}

/** A mixer's output shows several sources, and its pictures are numbered anew. */
function codeSource({ programme, ledger }: Stream): Pick<StreamSubject, 'codeSourceId'> {
  const id = programme ? 0 : (ledger?.identity.sourceId ?? 0);
  return id > 0 ? { codeSourceId: id } : {};
}

/** Share of the places where the white line was looked for at which it stands out from the picture. */
function witnessOf(counter: CaptureCounter | null): number | null {
  if (!counter || counter.linePlaces === 0) return null;
  return (100 * counter.lineWitnesses) / counter.linePlaces;
}

/** What outages are to the figures beside them: a stall each that is long enough, and perhaps the longest gap. */
function outageFigures(
  { outages, framesPerSecond }: MeasuredStream,
  { stalls, longestGapMs }: Pick<StreamFigures, 'stalls' | 'longestGapMs'>,
  notMeasured: NotMeasured,
): Partial<Pick<StreamFigures, 'stalls' | 'longestGapMs'>> {
  if (outages.length === 0) return {};
  delete notMeasured.stalls;
  delete notMeasured.longestGapMs;
  const stallNs = stallSeconds(framesPerSecond) * 1e9;
  const others = outages.filter((one) => !one.isStall && one.toNs - one.sinceNs >= stallNs);
  return {
    stalls: (stalls ?? 0) + others.length,
    longestGapMs: Math.max(longestGapMs ?? 0, ...outages.map(({ fromNs, toNs }) => (toNs - fromNs) / 1e6)),
  };
}

/** Frames that its outages must have cost, by the rate; 0 if it had none. */
function estimateOf({ counts, foreign, outages }: MeasuredStream): ReasonedNumber {
  if (!counts && !foreign && outages.length === 0) return [null, reasons.noRecord];
  const isKnown = outages.every(({ frames }) => frames !== null);
  return [isKnown ? (framesIn(outages) ?? 0) : null, reasons.noRate];
}

function outagesOf(
  { outages, framesPerSecond }: MeasuredStream,
  { wallOffsetUs, isOpen }: RowSurroundings,
): Outage[] {
  return outages.map((outage) => recordedOutage(outage, { framesPerSecond, wallOffsetUs, isOpen }));
}

const nothing = {
  ...{ firstFrame: null, lastFrame: null },
  ...{ framesScheduled: null, framesSenderMissed: null, framesSubmitted: null },
  ...{ framesLateSource: null, framesLateSourceDisk: null, framesLateSourceDecode: null },
  ...{ framesLateSourceDamaged: null, picturesCaptured: null, framesReceived: null, framesDropped: null },
  ...{ framesDroppedReceiverQueue: null, framesDroppedTransport: null, framesMissing: null },
  ...{ framesDuplicated: null, framesReordered: null },
  ...{ framesWrongSize: null, framesTorn: null, framesStale: null, framesDamaged: null },
  ...{ framesDiscoloured: null, framesDimmed: null, framesMislabelled: null, framesSpoilt: null },
  ...{ framesUndecodable: null, framesUndecodableUnmatched: null, picturesWrongSource: null },
  ...{ stalls: null, worstWindowLost: null, worstSecondLost: null, longestGapMs: null, conserved: null },
} as const;

const noGaps = { of1: null, of2: null, of3to5: null, of6to10: null, of11to30: null, over30: null } as const;

const noFrames = frameRanges([]);

const uncounted = { ...nothing, ...gapFigures(noGaps), droppedFrames: noFrames, missedFrames: noFrames };

type CountFigures = Pick<StreamFigures, keyof typeof uncounted>;

/** Counts by the frame code. */
function codedCounts({ stream, counts, outages }: MeasuredStream, notMeasured: NotMeasured): CountFigures {
  const attributed = stream.ledger?.identity.assumeSubmitted !== true;
  const unknown = unknownKeys(stream, counts);
  note(notMeasured, unknown.keys, unknown.reason);
  if (attributed) notMeasured.framesMissing = reasons.framesMissing;
  if (!counts) {
    note(notMeasured, ['firstFrame', 'lastFrame'], reasons.noSlot);
    const isUncounted = stream.ledger === null && stream.firstPictureNs > 0;
    const absent = isUncounted ? reasons.uncounted : reasons.noRecord;
    note(notMeasured, [...Object.keys(nothing), ...gapPaths], outages.length > 0 ? reasons.outage : absent);
    return uncounted;
  }
  const range = counts.last >= counts.first ? counts : null;
  if (!range) note(notMeasured, ['firstFrame', 'lastFrame'], reasons.noSlot);
  if (counts.droppedReceiverQueue === null) note(notMeasured, placeKeys, reasons.queueUncounted);
  const { tally } = counts;
  const figures: CountFigures = {
    firstFrame: range?.first ?? null,
    lastFrame: range?.last ?? null,
    droppedFrames: tally.droppedFrames.ranges,
    missedFrames: tally.missedFrames.ranges,
    framesScheduled: tally.scheduled,
    framesLateSource: tally.lateSource,
    framesLateSourceDisk: tally.lateCauses.Disk,
    framesLateSourceDecode: tally.lateCauses.Decode,
    framesLateSourceDamaged: tally.lateCauses.Damaged,
    framesSenderMissed: tally.missed,
    framesSubmitted: tally.submitted,
    picturesCaptured: counts.captured,
    framesReceived: counts.received,
    framesDropped: tally.dropped,
    framesDroppedReceiverQueue: counts.droppedReceiverQueue,
    framesDroppedTransport:
      counts.droppedReceiverQueue === null ? null : tally.dropped - counts.droppedReceiverQueue,
    framesMissing: attributed ? null : tally.dropped,
    framesDuplicated: counts.duplicated,
    framesReordered: counts.reordered,
    ...spoiltFigures(counts.spoilt),
    framesSpoilt: spoiltSum(counts.spoilt),
    framesUndecodable: tally.matched,
    framesUndecodableUnmatched: counts.undecodableUnmatched,
    picturesWrongSource: counts.wrongSource,
    stalls: counts.stalls,
    worstWindowLost: tally.worstWindowLost,
    worstSecondLost: tally.worstSecondLost,
    ...gapFigures(tally.lost.gapHistogram),
    longestGapMs: counts.longestGapMs,
    conserved: counts.conserved,
  };
  return { ...figures, ...Object.fromEntries(unknown.keys.map((key) => [key, null])) };
}

/** Counts of a sender without our code, by the times that it gives its frames. */
function foreignCounts(counts: ForeignCounts, notMeasured: NotMeasured): CountFigures {
  const figures = {
    ...uncounted,
    picturesCaptured: counts.captured,
    framesReceived: counts.received,
    framesMissing: counts.missing,
    framesDuplicated: counts.duplicated,
    framesReordered: counts.reordered,
    stalls: counts.stalls,
    worstWindowLost: counts.worstWindowLost,
    worstSecondLost: counts.worstSecondLost,
    ...gapFigures(counts.gapHistogram ?? noGaps),
    longestGapMs: counts.longestGapMs,
  };
  const unreported = [
    ...(['framesReceived', 'framesMissing', 'framesDuplicated', 'framesReordered'] as const),
    ...(['worstWindowLost', 'worstSecondLost'] as const),
  ].filter((key) => figures[key] === null);
  note(notMeasured, unreported, counts.missingReason);
  if (!counts.gapHistogram) note(notMeasured, gapPaths, counts.missingReason);
  const uncountedKeys = (Object.keys(nothing) as (keyof typeof nothing)[]).filter(
    (key) => figures[key] === null,
  );
  note(notMeasured, uncountedKeys, reasons.foreign);
  return figures;
}

const lateCauseKeys = ['framesLateSourceDisk', 'framesLateSourceDecode', 'framesLateSourceDamaged'] as const;

const lateKeys = ['framesLateSource', ...lateCauseKeys] as const;

/** Where dropped frames were lost. */
const placeKeys = ['framesDroppedReceiverQueue', 'framesDroppedTransport'] as const;

/** Figures that need the sender's own records. */
const attributedKeys = [
  ...(['framesScheduled', ...lateKeys, 'framesSenderMissed', 'framesSubmitted', 'framesDropped'] as const),
  ...placeKeys,
] as const;

/** Figures of the sender that its records do not report, and why. */
export function unknownKeys(
  { ledger }: Stream,
  counts: RangeCounts | null,
): { keys: readonly (typeof attributedKeys)[number][]; reason: string } {
  if (ledger?.identity.assumeSubmitted) return { keys: attributedKeys, reason: reasons.sender };
  if (ledger?.source.reportsLatePictures === false) return { keys: lateKeys, reason: reasons.lateUnreported };
  if (counts && counts.tally.lateCauses.Command > 0)
    return { keys: lateCauseKeys, reason: reasons.lateCommand };
  return { keys: [], reason: '' };
}
