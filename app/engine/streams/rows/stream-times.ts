import type { SoundFigures } from '../clocks/audio-offset';
import { soundTo } from '../clocks/open-sound';
import { noDistribution, type TimeHistogram } from '../counting/time-histogram';
import type { MeasuredStream } from './measured-stream';
import { noFrameOf, reasonedDistribution, reasons } from './row-reasons';

interface TimedRow {
  toNs: number;
  isOpen: boolean;
  /** Guards of the row that are not fine, in words; empty: all are. Delays of the machine would count as the stream's. */
  disturbance: string;
}

/** Figures of a stream that are times: latency, intervals, sound against picture. */
export function streamTimes(measured: MeasuredStream, row: TimedRow) {
  return {
    ...latencyFigures(measured, row),
    ...intervalFigures(measured),
    ...soundFigures(measured, row.isOpen),
  };
}

/** A capture that seems older than its release says that all other latencies are wrong too, and so do release times that do not fit. */
export function trustedLatency({ stream, counter }: Pick<MeasuredStream, 'stream' | 'counter'>) {
  return counter?.negativeLatencies === 0 && stream.releaseMisfit === null ? counter.latency : null;
}

function latencyFigures(measured: MeasuredStream, row: TimedRow) {
  const { stream, counter, framesPerSecond } = measured;
  const clock = stream.ledger?.identity.clock;
  const shared = clock?.isShared === true;
  const latency = row.disturbance === '' ? trustedLatency(measured) : null;
  const latencyMs = latency?.distribution() ?? { ...noDistribution };
  const unknown = shared ? noFrameOf(stream) : reasons.otherClock;
  const { releaseMisfit } = stream;
  const disagree = (counter?.negativeLatencies ?? 0) > 0 ? reasons.clock : unknown;
  const reason = stream.foreign ? reasons.foreignRelease : (releaseMisfit ?? (row.disturbance || disagree));
  const differenceUs = releaseMisfit === null ? (clock?.differenceUs(row.toNs) ?? null) : null;
  const uncertaintyUs = latencyMs.p50 === null ? null : (counter?.latencyUncertaintyUs ?? null);
  const noOffset = shared ? reasons.oneClock : (releaseMisfit ?? reasons.otherClock);
  const withoutLedger = stream.foreign ? reasons.foreignRelease : noFrameOf(stream);
  const { p50 } = latencyMs;
  return {
    ...reasonedDistribution('latencyMs', latencyMs, reason),
    latencyFramesP50: [p50 === null ? null : (p50 / 1000) * framesPerSecond, reason],
    latencyJitterMs: [latency?.jitterMs ?? null, p50 === null ? reason : reasons.noCapture],
    clockOffsetMs: [differenceUs === null ? null : differenceUs / 1000, clock ? noOffset : withoutLedger],
    latencyUncertaintyMs: [
      uncertaintyUs === null ? null : uncertaintyUs / 1000,
      shared ? reasons.oneClock : reason,
    ],
  } as const;
}

function intervalFigures({ stream, counts, counter, foreign }: MeasuredStream) {
  const submits = intervalOf(counter?.submitInterval ?? null);
  const receives = intervalOf(foreign?.receiveInterval ?? counter?.receiveInterval ?? null);
  const unreported = (counts?.tally.submitted ?? 0) > 1 ? reasons.submitTimes : reasons.noSubmit;
  const assumed = stream.ledger?.identity.assumeSubmitted ? reasons.sender : unreported;
  const noSubmits = stream.foreign ? reasons.foreign : assumed;
  return {
    ...reasonedDistribution('submitIntervalMs', submits.ms, noSubmits),
    submitJitterMs: [submits.jitterMs, noSubmits],
    ...reasonedDistribution('receiveIntervalMs', receives.ms, reasons.noCapture),
    receiveJitterMs: [receives.jitterMs, reasons.noCapture],
  } as const;
}

function intervalOf(interval: TimeHistogram | null) {
  return {
    ms: interval?.distribution() ?? { ...noDistribution },
    jitterMs: interval?.jitterMs ?? null,
  };
}

function soundFigures(measured: MeasuredStream, isOpen: boolean) {
  const { stream, counts } = measured;
  const { ledger, audio } = stream;
  const sound = soundOf(measured, isOpen);
  const driftMs = sound && counts && audio && !isOpen ? audio.driftMs(counts.first, counts.last) : null;
  const isAssumed = ledger?.identity.assumeSubmitted === true;
  const noSound = stream.foreign ? reasons.foreign : reasons.noSound;
  const noBlocks = isAssumed ? reasons.sender : reasons.noBlockNumbers;
  const noLine = isOpen ? reasons.openRow : reasons.noLine;
  return {
    audioBlocksMissing: [isAssumed ? null : (sound?.blocksMissing ?? null), sound ? noBlocks : noSound],
    audioOffsetMs: [sound?.offsetMs ?? null, sound ? reasons.noBurst : noSound],
    audioDriftMs: [driftMs, sound ? noLine : noSound],
  } as const;
}

/** An open row is read again and again, however long it gets. */
function soundOf({ stream, counts, counter }: MeasuredStream, isOpen: boolean): SoundFigures | null {
  const { ledger, audio } = stream;
  if (!ledger || !audio || !counts || !counter || counts.last < counts.first) return null;
  if (isOpen) return soundTo(counts.last, { audio, ledger, counter });
  return audio.over(counts.first, counts.last, (slot) => ledger.wasSubmitted(slot));
}
