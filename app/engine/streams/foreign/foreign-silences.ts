import type { Span } from '../counting/capture-counter';
import { framesDue, type Gap } from '../counting/frames-due';

/** A time without a new frame. */
export interface Silence extends Gap {
  /** When the last frame before it came. */
  lastNs: number;
  isRateKnown: boolean;
}

/** The part of a silence in what is counted, in which the connection was gone. */
export interface ForeignOutage extends Span {
  /** When it began, perhaps before what is counted. */
  sinceNs: number;
  /** Frames came again in what is counted. */
  isOver: boolean;
  /** Frames that were due in this part; null if the rate is not known. */
  frames: number | null;
}

/** Says for how long a connection that had been there was gone. */
export interface Connection {
  goneNs(fromNs: number, toNs: number): number;
}

/** The silences of a stretch of time: those in which the connection was gone, and those that the sender may mean. */
export class ForeignSilences {
  readonly outages: ForeignOutage[] = [];
  /** While it was connected: how often, and how long the longest was by the end of what is counted. */
  connected = { times: 0, longestNs: 0 };

  copy(): ForeignSilences {
    const copy = new ForeignSilences();
    copy.outages.push(...this.outages);
    copy.connected = { ...this.connected };
    return copy;
  }

  /**
   * Counts the part of a silence in a range, if a frame was due in it. Frames that were held up come together: a silence that the
   * sender made between two of them lasts no time here, and counts as well. `isOpen`: the first frame may yet be on its way.
   */
  add(silence: Silence, range: Span, connection: Connection, isOpen = false): void {
    const { lastNs, sinceNs, untilNs, isRateKnown } = silence;
    const fromNs = Math.max(sinceNs, range.fromNs);
    const toNs = Math.min(untilNs, range.toNs);
    const due = (atNs: number): number =>
      // The first may be on its way for a period.
      isOpen && Math.min(atNs, untilNs) - sinceNs < silence.periodNs ? 0 : framesDue(silence, atNs);
    const frames = Math.max(0, due(toNs) - due(fromNs));
    const isOver = untilNs < range.toNs;
    const isWhole = sinceNs >= range.fromNs && isOver;
    if (frames === 0 && !isWhole) return;
    if (connection.goneNs(sinceNs, toNs) > 0) {
      // Like every outage it begins at the last picture; the first missing frame was due one period later.
      const beganNs = sinceNs >= range.fromNs ? lastNs : fromNs;
      const known = isRateKnown ? frames : null;
      this.outages.push({ fromNs: beganNs, toNs, sinceNs: lastNs, isOver, frames: known });
      return;
    }
    const { times, longestNs } = this.connected;
    this.connected = { times: times + 1, longestNs: Math.max(longestNs, toNs - sinceNs) };
  }
}
