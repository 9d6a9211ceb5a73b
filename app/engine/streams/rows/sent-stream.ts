import { reasonOf } from '../../../facts/reason-words';
import type { StreamSubject } from '../../../facts/stream-row';
import type { CaptureCounter } from '../counting/capture-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { StreamLedger } from '../counting/stream-ledger';
import type { Judgement } from './judgement';
import { reasons } from './row-reasons';

/** Streams whose receiver is elsewhere: what a sender alone knows of them. */

/** Figures that need no receiver; those of submit times stand beside them. */
const sentFigures: readonly string[] = [
  ...['method', 'firstFrame', 'lastFrame', 'droppedFrames', 'missedFrames', 'streams', 'measuredSeconds'],
  ...['framesScheduled', 'framesSubmitted', 'framesSenderMissed', 'framesLateSource'],
  ...['framesLateSourceDisk', 'framesLateSourceDecode', 'framesLateSourceDamaged', 'bitrateMbps'],
];

function isSent(id: string): boolean {
  return sentFigures.includes(id) || id.startsWith('submit');
}

/** The counts of a range without what looks lost because no picture comes back. */
export function sentCounts(ledger: StreamLedger, counter: CaptureCounter, counts: RangeCounts): RangeCounts {
  const tally = ledger.sent(counter, counts.last);
  return { ...counts, tally, stalls: 0, stalledAt: null, lostAt: null, tail: null };
}

/** The row of a stream with the reason in the place of each figure that only its receiver can report. */
export function sentStream(subject: StreamSubject): StreamSubject {
  const { figures, notMeasured } = subject;
  const known = Object.entries(notMeasured).filter(([id]) => isSent(id));
  const unreported = Object.keys({ ...figures, ...notMeasured }).filter((id) => !isSent(id));
  return {
    ...subject,
    figures: { ...figures, ...Object.fromEntries(unreported.map((id) => [id, null])) },
    notMeasured: {
      ...Object.fromEntries(known),
      ...Object.fromEntries(unreported.map((id) => [id, reasons.remoteReceiver])),
    },
  };
}

/** A sender cannot say that no frame was lost. */
export function sentJudgement(judgement: Judgement): Judgement {
  const reason = judgement.reason.map((fact) =>
    fact.code === 'no-frame-lost' ? reasonOf('no-frame-missed') : fact,
  );
  return { ...judgement, reason };
}
