import type { StreamView } from '../../protocol/console';
import { liveLossDelaySeconds } from '../../protocol/thresholds';

type Seen = Pick<
  StreamView,
  'id' | 'state' | 'lostTotal' | 'lostNow' | 'framesSenderMissed' | 'framesInOutages'
>;

interface Span {
  fromNs: number;
  toNs: number;
}

/**
 * How long no frame of any stream was lost or not sent, as the window shows it while it goes on. Only time in which all streams were received and counted is clean, so that an outage
 * and losses that are not measured end it. A stream belongs to it from when it is first counted: one that is added and still
 * connects has lost nothing. Exact to one look; there are four a second.
 */
export class CleanTime {
  private longest: Span | null = null;
  private now: Span | null = null;
  /** Up to when the last look counted, and frames lost until then by stream. */
  private lookedNs: number | null = null;
  private lost = new Map<number, number>();
  /** Streams that were counted once. */
  private begun = new Set<number>();

  look(atNs: number, views: readonly Seen[]): void {
    const countedNs = atNs - liveLossDelaySeconds * 1e9;
    if (this.lookedNs !== null && countedNs <= this.lookedNs) return;
    const lost = new Map(views.map((view) => [view.id, lostOf(view)]));
    const begun = views.filter((view) => isCounted(view) || this.begun.has(view.id));
    const isClean =
      begun.length > 0 &&
      begun.every(isCounted) &&
      [...lost].every(([id, frames]) => frames <= (this.lost.get(id) ?? frames));
    this.now = isClean ? { fromNs: this.now?.fromNs ?? countedNs, toNs: countedNs } : null;
    if (this.now && lengthNs(this.now) > lengthNs(this.longest)) this.longest = this.now;
    this.lookedNs = countedNs;
    this.lost = lost;
    this.begun = new Set(begun.map(({ id }) => id));
  }

  /** Null before anything was counted. nowMs: 0 during an outage of a stream, or while its losses are not known. */
  get lengths(): { nowMs: number; longestMs: number } | null {
    return (
      this.longest && {
        nowMs: Math.max(0, lengthNs(this.now)) / 1e6,
        longestMs: lengthNs(this.longest) / 1e6,
      }
    );
  }
}

/** With those that were not sent, and those that outages are estimated to have cost. */
function lostOf({ lostTotal, framesSenderMissed, framesInOutages }: Seen): number {
  return (lostTotal ?? 0) + (framesSenderMissed ?? 0) + (framesInOutages ?? 0);
}

function isCounted({ state, lostTotal, lostNow }: Seen): boolean {
  return state === 'receiving' && lostTotal !== null && lostNow !== null;
}

function lengthNs(span: Span | null): number {
  return span ? span.toNs - span.fromNs : -1;
}
