import { atMost, type Stated } from '../../../facts/contradiction';
import type { Fact } from '../../../facts/fact';
import { spoiltSum } from '../../../facts/spoilt';
import type { Thresholds } from '../../../protocol/thresholds';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import type { MeasuredStream } from './measured-stream';

/** A window that begins within a frame can contain one frame more than its length in frames. */
const border = { amount: 1 };

/** What the counts of a stream of ours say that cannot be true; that the stages add up is `conserved`. */
export function codedContradictions(
  counts: RangeCounts,
  framesPerSecond: number,
  { lostWindowSeconds }: Pick<Thresholds, 'lostWindowSeconds'>,
): Fact[] {
  const { tally, captured } = counts;
  const slots: Stated = [Math.max(0, counts.last - counts.first + 1), 'slots in the row'];
  const pictures: Stated = [captured, 'pictures captured'];
  const lost = tally.dropped + tally.matched + spoiltSum(tally.spoilt);
  return [
    ...atMost('slots', [tally.scheduled, 'scheduled'], slots),
    ...atMost('slots', [tally.submitted + tally.missed, 'submitted or missed'], slots),
    ...atMost('lost frames', [lost, 'lost'], [tally.submitted, 'submitted']),
    ...atMost(
      'lost frames',
      [counts.droppedReceiverQueue, 'in the receiver’s queue'],
      [tally.dropped, 'dropped'],
    ),
    // Without the sender's records the rate is measured, and may have fallen within the row.
    ...(counts.attributed ? lostInTime(counts, framesPerSecond, lostWindowSeconds) : []),
    ...atMost('pictures', [counts.received, 'frames received'], pictures),
    ...atMost('pictures', [counts.duplicated + counts.reordered, 'duplicated or reordered'], pictures),
    ...atMost('late pictures', [tally.lateSource, 'late'], [tally.submitted, 'submitted']),
  ];
}

/**
 * For streams whose size and rate the frame code gives: compressed pictures are no larger than raw ones of four bytes a pixel; sound and
 * what the transport adds are some Mb/s. How many other receivers a sender had in the row is not known.
 */
export function trafficContradictions(
  bitrateMbps: number | null,
  streams: readonly Pick<MeasuredStream, 'stream' | 'counts' | 'framesPerSecond'>[],
): Fact[] {
  const rawMbps = streams.map(({ stream, framesPerSecond }) => {
    const { width, height } = stream.source.format;
    return (width * height * 32 * framesPerSecond) / 1e6;
  });
  const raw = rawMbps.reduce((sum, mbps) => sum + mbps, 0);
  const beside = { share: 0.05, amount: 10 * streams.length };
  const own: Stated = [bitrateMbps, 'Mb/s of our own sockets'];
  const isKnown =
    streams.length > 0 && streams.every(({ stream, counts }) => counts !== null && !stream.isReceiverRemote);
  return !isKnown ? [] : atMost('traffic', own, [raw, 'Mb/s of raw pictures'], beside);
}

function lostInTime({ tally }: RangeCounts, framesPerSecond: number, lostWindowSeconds: number): Fact[] {
  const due = (seconds: number): Stated => {
    const frames = Math.ceil(seconds * framesPerSecond);
    return [frames, `frames due in ${seconds} s`];
  };
  return [
    ...atMost('lost frames', [tally.worstSecondLost, 'lost in a second'], due(1), border),
    ...atMost('lost frames', [tally.worstWindowLost, 'lost in a window'], due(lostWindowSeconds), border),
  ];
}

/** The same for a stream without our code. */
export function foreignContradictions(counts: ForeignCounts): Fact[] {
  const pictures: Stated = [counts.captured, 'pictures captured'];
  return [
    ...atMost(
      'pictures',
      [(counts.received ?? 0) + (counts.duplicated ?? 0), 'frames or duplicates'],
      pictures,
    ),
    ...atMost('pictures', [counts.reordered, 'reordered'], pictures),
    ...atMost('pictures', [counts.placeholders + counts.greens, 'placeholders or green'], pictures),
  ];
}
