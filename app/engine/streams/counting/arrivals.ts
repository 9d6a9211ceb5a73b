import { ArrivalTimes } from './arrival-times';
import { OtherPictures } from './other-pictures';
import type { RangeCounter } from './range-counter';
import { stallNs } from './stalls';
import { UnreadPictures } from './unread-pictures';

/** What is known of the slots of a sender without records: what came, and when. */
export class Arrivals {
  readonly times: ArrivalTimes;
  readonly unread = new UnreadPictures();
  private readonly others = new OtherPictures();

  constructor(
    declaredNs: number,
    private readonly firstSlot: number,
  ) {
    this.times = new ArrivalTimes(declaredNs);
  }

  /** A number higher than all before came. Visits the slots up to it that were due; matched: a picture that could not be read came in its place. */
  reach(slot: number, ns: number, visit: (slot: number, isMatched: boolean) => void): void {
    const before = this.times.newest;
    const matched = this.unread.match(before, { slot, ns });
    for (const arrival of matched) this.times.addUnread(arrival);
    this.times.add({ slot, ns });
    const unread = new Set(matched.map((arrival) => arrival.slot));
    for (let next = (before?.slot ?? this.firstSlot - 1) + 1; next <= slot; next++) {
      const isMatched = unread.has(next);
      const isShown = next === slot || isMatched;
      // In the place of the picture another source was shown.
      if (!isShown && this.others.cover(this.times.nsOf(next), this.times.periodNs)) continue;
      visit(next, isMatched);
    }
    this.others.clear();
  }

  noteOther(atNs: number): void {
    this.others.add(atNs, stallNs(this.times));
  }

  /** Says which slots a range has by now: the first and the last follow from the pictures at its beginning and behind its end. */
  bound(counter: RangeCounter): void {
    const { time } = counter;
    const { newest } = this.times;
    if (!time || !newest) return;
    if (!counter.isBegun) {
      counter.first = this.times.slotFrom(time.fromNs);
      counter.isBegun = newest.ns >= time.fromNs;
    }
    if (newest.ns >= time.toNs && counter.last === Number.POSITIVE_INFINITY)
      counter.last = this.times.slotFrom(time.toNs) - 1;
  }
}
