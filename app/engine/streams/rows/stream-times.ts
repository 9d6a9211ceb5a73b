import { distributionFigures } from '../../../facts/stream-row';
import type { SoundFigures } from '../clocks/audio-offset';
import { soundTo } from '../clocks/open-sound';
import { SharedClock } from '../clocks/release-clock';
import { noDistribution, type TimeHistogram } from '../counting/time-histogram';
import type { MeasuredStream } from './measured-stream';
import { figuresOf, type NotMeasured, note, noteTail, reasons } from './row-reasons';

interface TimedRow {
  toNs: number;
  isOpen: boolean;
  /** Guards of the row that are not fine, in words; empty: all are. Delays of the machine would count as the stream's. */
  disturbance: string;
}

/** Figures of a stream that are times: latency, intervals, sound against picture. */
export function streamTimes(measured: MeasuredStream, row: TimedRow, notMeasured: NotMeasured) {
  return {
    ...latencyFigures(measured, row, notMeasured),
    ...intervalFigures(measured, notMeasured),
    ...soundFigures(measured, row.isOpen, notMeasured),
  };
}

function latencyFigures(
  { stream, counter, framesPerSecond }: MeasuredStream,
  row: TimedRow,
  notMeasured: NotMeasured,
) {
  const clock = stream.ledger?.identity.clock;
  const shared = clock instanceof SharedClock;
  // A capture that seems older than its release says that all other latencies are wrong too.
  const isTrusted = row.disturbance === '' && counter?.negativeLatencies === 0;
  const latency = isTrusted ? counter.latency : null;
  const latencyMs = latency?.distribution() ?? { ...noDistribution };
  const unknown = shared ? reasons.noFrame : reasons.otherClock;
  const disagree = (counter?.negativeLatencies ?? 0) > 0 ? reasons.clock : unknown;
  const reason = stream.foreign ? reasons.foreignRelease : row.disturbance || disagree;
  if (latencyMs.p50 === null) note(notMeasured, [...figuresOf('latencyMs'), 'latencyFramesP50'], reason);
  noteTail(notMeasured, 'latencyMs', latencyMs);
  const jitterMs = latency?.jitterMs ?? null;
  if (jitterMs === null)
    note(notMeasured, ['latencyJitterMs'], latencyMs.p50 === null ? reason : reasons.noCapture);
  const differenceUs = clock?.differenceUs(row.toNs) ?? null;
  const uncertaintyUs = latencyMs.p50 === null ? null : (counter?.latencyUncertaintyUs ?? null);
  const noOffset = shared ? reasons.oneClock : reasons.otherClock;
  const withoutLedger = stream.foreign ? reasons.foreignRelease : reasons.noFrame;
  if (differenceUs === null) note(notMeasured, ['clockOffsetMs'], clock ? noOffset : withoutLedger);
  if (uncertaintyUs === null) note(notMeasured, ['latencyUncertaintyMs'], shared ? reasons.oneClock : reason);
  return {
    ...distributionFigures('latencyMs', latencyMs),
    latencyFramesP50: latencyMs.p50 === null ? null : (latencyMs.p50 / 1000) * framesPerSecond,
    latencyJitterMs: jitterMs,
    clockOffsetMs: differenceUs === null ? null : differenceUs / 1000,
    latencyUncertaintyMs: uncertaintyUs === null ? null : uncertaintyUs / 1000,
  };
}

function intervalFigures({ stream, counts, counter, foreign }: MeasuredStream, notMeasured: NotMeasured) {
  const submits = intervalOf(counter?.submitInterval ?? null);
  const receives = intervalOf(foreign?.receiveInterval ?? counter?.receiveInterval ?? null);
  const unreported = (counts?.tally.submitted ?? 0) > 1 ? reasons.submitTimes : reasons.noSubmit;
  const assumed = stream.ledger?.identity.assumeSubmitted ? reasons.sender : unreported;
  if (submits.jitterMs === null)
    note(notMeasured, ['submitJitterMs'], stream.foreign ? reasons.foreign : assumed);
  if (submits.ms.p50 === null)
    note(notMeasured, figuresOf('submitIntervalMs'), stream.foreign ? reasons.foreign : assumed);
  if (receives.jitterMs === null) note(notMeasured, ['receiveJitterMs'], reasons.noCapture);
  if (receives.ms.p50 === null) note(notMeasured, figuresOf('receiveIntervalMs'), reasons.noCapture);
  noteTail(notMeasured, 'submitIntervalMs', submits.ms);
  noteTail(notMeasured, 'receiveIntervalMs', receives.ms);
  return {
    ...distributionFigures('submitIntervalMs', submits.ms),
    submitJitterMs: submits.jitterMs,
    ...distributionFigures('receiveIntervalMs', receives.ms),
    receiveJitterMs: receives.jitterMs,
  };
}

function intervalOf(interval: TimeHistogram | null) {
  return {
    ms: interval?.distribution() ?? { ...noDistribution },
    jitterMs: interval?.jitterMs ?? null,
  };
}

function soundFigures(measured: MeasuredStream, isOpen: boolean, notMeasured: NotMeasured) {
  const { stream, counts } = measured;
  const { ledger, audio } = stream;
  const sound = soundOf(measured, isOpen);
  const driftMs = sound && counts && audio && !isOpen ? audio.driftMs(counts.first, counts.last) : null;
  const figures = {
    audioBlocksMissing: ledger?.identity.assumeSubmitted ? null : (sound?.blocksMissing ?? null),
    audioOffsetMs: sound?.offsetMs ?? null,
    audioDriftMs: driftMs,
  };
  const noSound = stream.foreign ? reasons.foreign : reasons.noSound;
  const blocks = ledger?.identity.assumeSubmitted ? reasons.sender : reasons.noBlockNumbers;
  if (figures.audioBlocksMissing === null)
    note(notMeasured, ['audioBlocksMissing'], sound ? blocks : noSound);
  if (figures.audioOffsetMs === null) note(notMeasured, ['audioOffsetMs'], sound ? reasons.noBurst : noSound);
  const noLine = isOpen ? reasons.openRow : reasons.noLine;
  if (figures.audioDriftMs === null) note(notMeasured, ['audioDriftMs'], sound ? noLine : noSound);
  return figures;
}

/** An open row is read again and again, however long it gets. */
function soundOf({ stream, counts, counter }: MeasuredStream, isOpen: boolean): SoundFigures | null {
  const { ledger, audio } = stream;
  if (!ledger || !audio || !counts || !counter || counts.last < counts.first) return null;
  if (isOpen) return soundTo(counts.last, { audio, ledger, counter });
  return audio.over(counts.first, counts.last, (slot) => ledger.wasSubmitted(slot));
}
