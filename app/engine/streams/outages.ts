import type { Fact } from '../../facts/fact';
import { stallSeconds } from '../../protocol/thresholds';
import type { Span } from './counting/capture-counter';
import { framesDue } from './counting/frames-due';
import type { RangeCounts, SilentTail } from './counting/range-counts';
import type { ForeignCounts } from './foreign/foreign-ledger';
import type { Stream } from './stream';

/**
 * A time without a picture whose cost no frame number gives: until the sender was started again, or at the end of what
 * is counted. What it cost follows from the rate. It lasts from the last picture before it to the first one after it,
 * wherever its length is shown.
 */
export interface Outage extends Span {
  /** When the last picture before it came, perhaps before what is counted. */
  sinceNs: number;
  /** Pictures came again. */
  isOver: boolean;
  /** Frames that were due and are counted nowhere else; null if the rate is not known. */
  frames: number | null;
  /** Whether the counts already contain it as a stall. */
  isStall: boolean;
  /** What was observed at the time, once it is explained. */
  causes?: readonly Fact[];
  /** A fact that was recorded explains it, whatever the load was. */
  isProved?: boolean;
}

/** So late it may be noticed that a connection is gone. */
const noticedWithinNs = 5e9;

/** The one who sends, or the process that did, was replaced, and the stream goes on as another one in its place. */
export class Break {
  /** When its first picture came, where that is known before it is followed. */
  foundNs = 0;
  /** The next one is a new start, not one that was away. */
  isRestart = false;
  /** The one before ended as asked: nothing was due between the two. */
  isAsked = false;

  /** `fromNs`: the end of the last frame before it, from where on frames were due; `sinceNs`: when that frame's picture came. */
  constructor(
    readonly fromNs: number,
    readonly sinceNs: number,
    readonly next: Stream,
  ) {}

  /** Infinity until a picture arrives again. */
  get toNs(): number {
    const { firstCaptureNs, early } = this.next;
    const firstNs = firstCaptureNs || this.foundNs || (early[0]?.captureNs[0] ?? 0);
    return firstNs > 0 ? firstNs : (this.next.after?.toNs ?? Number.POSITIVE_INFINITY);
  }
}

/** What lies between two senders of a stream, as far as it falls into a time. */
export function breaksOf(stream: Stream, fromNs: number, toNs: number): Outage[] {
  const { before, after, framesPerSecond } = stream;
  const periodNs = 1e9 / framesPerSecond;
  // Without a picture between them, the break before and the break after are one.
  const breaks = before && after && stream.firstCaptureNs === 0 ? [before] : [before, after];
  return breaks.flatMap((one) => {
    if (!one || one.isAsked) return [];
    const [beginNs, endNs] = [Math.max(one.fromNs, fromNs), Math.min(one.toNs, toNs)];
    const gap = { sinceNs: one.fromNs, untilNs: one.toNs, periodNs };
    const frames = framesDue(gap, endNs) - framesDue(gap, beginNs);
    if (endNs <= beginNs || frames < 1) return [];
    return {
      ...{ fromNs: one.fromNs >= fromNs ? one.sinceNs : fromNs, toNs: endNs, sinceNs: one.sinceNs },
      ...{ isOver: one.toNs <= toNs, frames: isCostKnown(stream, one) ? frames : null, isStall: false },
    };
  });
}

/** For a sender without our code: no, if its rate was not steady, or if it was silent for long before its connection broke. */
function isCostKnown({ foreign, connectionHistory }: Stream, { fromNs, toNs }: Span): boolean {
  if (!foreign) return true;
  const brokeNs = connectionHistory.brokeAtNs(fromNs, toNs);
  return foreign.rateState !== 'variable' && brokeNs !== null && brokeNs - fromNs <= noticedWithinNs;
}

/** All outages of a stream in a time that was counted. */
export function outagesOf(
  stream: Stream,
  counted: Pick<RangeCounts, 'tail'> | Pick<ForeignCounts, 'silences'> | null,
  fromNs: number,
  toNs: number,
): Outage[] {
  const breaks = breaksOf(stream, fromNs, toNs);
  if (counted && 'silences' in counted) return [...goneIn(stream, counted), ...breaks];
  const tail = stream.after || !counted?.tail ? [] : [tailOf(stream, counted.tail, { fromNs, toNs })];
  const head = breaks.length === 0 && counted ? headOf(stream, fromNs, toNs) : [];
  return [...head, ...breaks, ...tail];
}

/**
 * The silence at the end as an outage since the last picture, for a ledger that knows when the next frame was due. Its last slot may reach
 * beyond what is counted.
 */
function tailOf(stream: Stream, tail: SilentTail, { fromNs, toNs }: Span): Outage {
  const lastNs = lastPictureNs(stream) ?? tail.sinceNs;
  const sinceNs = lastNs < tail.toNs ? lastNs : tail.sinceNs;
  const beganNs = tail.sinceNs >= fromNs ? sinceNs : tail.fromNs;
  return { ...tail, fromNs: beganNs, toNs: Math.min(tail.toNs, toNs), sinceNs, isOver: false };
}

/** For a sender without our code, a silence is an outage only if its connection was gone: otherwise it may be intended. */
function goneIn({ after }: Stream, { silences }: Pick<ForeignCounts, 'silences'>): Outage[] {
  return silences.outages
    .filter(({ isOver }) => isOver || after === null)
    .map((outage) => ({ ...outage, isStall: false }));
}

/** An outage that began before what is counted: its frames from there on are counted, its length is not known from them. */
function headOf({ watchdog, framesPerSecond, before }: Stream, fromNs: number, toNs: number): Outage[] {
  const recovery = watchdog.recoveryAcross(fromNs);
  if (!recovery || recovery.atNs > toNs || before?.isAsked) return [];
  const { atNs, afterMs } = recovery;
  const sinceNs = atNs - afterMs * 1e6;
  // A part that is long enough counts as a stall by itself, here or in the row before.
  const isStall = Math.max(atNs - fromNs, fromNs - sinceNs) >= stallSeconds(framesPerSecond) * 1e9;
  return [{ fromNs, toNs: atNs, sinceNs, isOver: true, frames: 0, isStall }];
}

/** When the last picture before a break came; null if none ever did. */
export function lastPictureNs(stream: Stream): number | null {
  return ownPictureNs(stream) ?? stream.before?.sinceNs ?? null;
}

/** When the frame of that picture was over, or the newest one that the sender reported: what did not come of those is counted. */
export function lastFrameEndNs(stream: Stream): number | null {
  const lastNs = ownPictureNs(stream);
  if (lastNs === null) return stream.before?.fromNs ?? null;
  return Math.max(lastNs + 1e9 / stream.framesPerSecond, stream.ledger?.reportedToNs ?? 0);
}

function ownPictureNs({ ledger, foreign }: Stream): number | null {
  return ledger?.newestFrameNs || foreign?.newestFrameNs || null;
}

/** Frames that outages cost in the second up to a moment; null if it has none, or no rate is known. */
export function framesInSecond(
  outages: readonly Outage[],
  toNs: number,
  framesPerSecond: number,
): number | null {
  const fromNs = toNs - 1e9;
  const inIt = outages.filter((one) => one.frames && one.fromNs < toNs && one.toNs > fromNs);
  if (inIt.length === 0) return null;
  const seconds = inIt.map((one) => (Math.min(one.toNs, toNs) - Math.max(one.fromNs, fromNs)) / 1e9);
  return Math.round(framesPerSecond * Math.max(...seconds));
}

/** Frames that outages must have cost; null if there was none, or no rate is known. */
export function framesIn(outages: readonly Outage[]): number | null {
  const known = outages.flatMap(({ frames }) => frames ?? []);
  return known.length > 0 ? known.reduce((sum, frames) => sum + frames) : null;
}
