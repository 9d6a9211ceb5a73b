import type { Span } from './counting/range-counter';
import type { RangeCounts } from './counting/range-counts';
import { slotPeriodNs } from './counting/schedule';
import type { ForeignCounts } from './foreign/foreign-ledger';
import type { Stream } from './stream';

/**
 * A time without a picture whose cost no frame number gives: until the sender was started again, or at the end of what
 * is counted. What it cost follows from the rate.
 */
export interface Outage extends Span {
  /** When it began, perhaps before what is counted. */
  sinceNs: number;
  /** Pictures came again. */
  isOver: boolean;
  /** Frames that were due and are counted nowhere else; null where the rate is not known. */
  frames: number | null;
  /** Whether the counts beside it have it as a stall already. */
  isStall: boolean;
}

/** So late it may be noticed that a connection is gone. */
const noticedWithinNs = 5e9;

/** The one who sends, or the process that did, was replaced, and the stream goes on as another one in its place. */
export class Break {
  /** When its first picture came, where that is known before it is followed. */
  foundNs = 0;

  /** `fromNs`: the end of the last frame before it. */
  constructor(
    readonly fromNs: number,
    readonly next: Stream,
  ) {}

  /** Infinity while no picture has come again. */
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
  // Without a picture of its own, what lies before it is what lies behind it.
  const breaks = before && after && stream.firstCaptureNs === 0 ? [before] : [before, after];
  return breaks.flatMap((one) => {
    if (!one) return [];
    const [beginNs, endNs] = [Math.max(one.fromNs, fromNs), Math.min(one.toNs, toNs)];
    const frames = Math.round((endNs - beginNs) / periodNs);
    if (endNs <= beginNs || frames < 1) return [];
    return {
      ...{ fromNs: beginNs, toNs: endNs, sinceNs: one.fromNs, isOver: one.toNs <= toNs },
      ...{ frames: isCostKnown(stream, one) ? frames : null, isStall: false },
    };
  });
}

/** Of a sender without our code: not where it had no steady rate, or was silent for long before its connection broke. */
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
  const tail = stream.after ? null : (counted?.tail ?? null);
  const head = breaks.length === 0 && counted ? headOf(stream, fromNs, toNs) : [];
  return [...head, ...breaks, ...(tail ? [{ ...tail, isOver: false }] : [])];
}

/** Of a sender without our code a silence is an outage only where its connection was gone: it may be meant otherwise. */
function goneIn({ after }: Stream, { silences }: Pick<ForeignCounts, 'silences'>): Outage[] {
  return silences.outages
    .filter(({ isOver }) => isOver || after === null)
    .map((outage) => ({ ...outage, isStall: false }));
}

/** An outage that began before what is counted: its frames from there on are counted, its length is not known from them. */
function headOf({ watchdog }: Stream, fromNs: number, toNs: number): Outage[] {
  const { lastRecovery } = watchdog;
  if (!lastRecovery) return [];
  const { atNs, afterMs } = lastRecovery;
  const sinceNs = atNs - afterMs * 1e6;
  if (sinceNs >= fromNs || atNs <= fromNs || atNs > toNs) return [];
  return [{ fromNs, toNs: atNs, sinceNs, isOver: true, frames: 0, isStall: true }];
}

/** When the last picture before a break was over; null where none ever came. */
export function lastFrameEndNs({ ledger, foreign, source, before }: Stream): number | null {
  const lastNs = ledger?.newestPictureNs ?? foreign?.newestPictureNs ?? 0;
  return lastNs > 0 ? lastNs + slotPeriodNs(source.format.rate) : (before?.fromNs ?? null);
}

/** Frames that outages must have cost; null where there was none, or no rate is known. */
export function framesIn(outages: readonly Outage[]): number | null {
  const known = outages.flatMap(({ frames }) => frames ?? []);
  return known.length > 0 ? known.reduce((sum, frames) => sum + frames) : null;
}
