import { median } from '../clocks/theil-sen';
import { type Arrival, ArrivalRate } from './arrival-rate';
import type { SlotTimes } from './slot-times';

/** Arrivals that are kept one by one, a minute at least; of older ones one a second, and those at both sides of a gap. */
const keptArrivals = 8192;
const thinnedNs = 1e9;
/** The quickest picture of so long shows when the next ones are due. */
const dueNs = 10e9;
/** A number that is later than this is no reordered one. */
const latestNs = 0.5e9;
/** A frame number that would be earlier than this does not follow lost frames: no path holds pictures back for so long. */
const earliestNs = 60e9;
/** This many steps between pictures show that a rate has changed. */
const newestSteps = 5;
/** The rate may have risen by this factor before it is measured again. */
const fastest = 10;

/**
 * When the slots of a sender are whose schedule is not known: when their pictures came, and between two of them in equal
 * steps. Nothing follows from the rate that it declares.
 */
export class ArrivalTimes implements SlotTimes {
  private readonly rate: ArrivalRate;
  private old: Arrival[] = [];
  private recent: Arrival[] = [];
  /** The line of the quickest pictures: one of them, and the quickest since. */
  private due: Arrival | null = null;
  private quickest: Arrival | null = null;
  private dueSinceNs = 0;

  constructor(declaredNs: number) {
    this.rate = new ArrivalRate(declaredNs);
  }

  get periodNs(): number {
    return this.rate.periodNs;
  }

  get newest(): Arrival | null {
    return this.recent[this.recent.length - 1] ?? null;
  }

  /** A number higher than all before came. */
  add(arrival: Arrival): void {
    this.take(arrival);
    const isNewRate = this.rate.add(arrival);
    this.followDue(arrival, isNewRate);
  }

  /** It is known of a higher number that it came then, though it could not be read. */
  addUnread(arrival: Arrival): void {
    this.take(arrival);
  }

  nsOf(slot: number): number {
    const [before, after] = this.around((arrival) => arrival.slot >= slot);
    if (!before || !after) {
      const nearest = before ?? after;
      return nearest ? nearest.ns + (slot - nearest.slot) * this.periodNs : 0;
    }
    return before.ns + ((slot - before.slot) * (after.ns - before.ns)) / (after.slot - before.slot);
  }

  /** One more than the newest where that came earlier. */
  slotFrom(atNs: number): number {
    const [before, after] = this.around((arrival) => arrival.ns >= atNs);
    if (!after) return (before?.slot ?? -1) + 1;
    if (!before) return after.slot;
    const share = (atNs - before.ns) / (after.ns - before.ns);
    return before.slot + Math.max(1, Math.ceil(share * (after.slot - before.slot) - 1e-6));
  }

  /** Whether order and losses explain that a number comes at a time; otherwise its sender counts from elsewhere now. */
  explains({ slot, ns }: Arrival): boolean {
    const { newest, due } = this;
    if (!newest || !due) return true;
    if (slot <= newest.slot) return slot === newest.slot || ns - this.nsOf(slot) <= latestNs;
    const ahead = slot - newest.slot;
    // A rate that has become slower just now is not measured yet.
    const periodNs = ahead > 1 ? Math.max(this.periodNs, this.newestStepNs()) : this.periodNs;
    const byDueNs = due.ns + (slot - due.slot) * this.periodNs - ns;
    const byNewestNs = newest.ns + ahead * periodNs - ns;
    if (Math.max(byDueNs, byNewestNs) <= earliestNs) return true;
    return ahead * periodNs <= fastest * (ns - newest.ns);
  }

  /** The usual time from one number to the next among the newest pictures; 0 if there are too few. */
  private newestStepNs(): number {
    const newest = this.recent.slice(-newestSteps - 1);
    const steps = newest.slice(1).map(({ slot, ns }, index) => {
      const before = newest[index] ?? { slot: 0, ns: 0 };
      return (ns - before.ns) / (slot - before.slot);
    });
    return steps.length < newestSteps ? 0 : median(steps);
  }

  private take(arrival: Arrival): void {
    const { recent } = this;
    recent.push(arrival);
    if (recent.length > keptArrivals) this.thin(recent.splice(0, keptArrivals / 2));
  }

  private thin(arrivals: Arrival[]): void {
    const { old } = this;
    for (const [index, arrival] of arrivals.entries()) {
      const kept = old[old.length - 1];
      const next = arrivals[index + 1] ?? this.recent[0];
      const before = arrivals[index - 1] ?? kept;
      const isBesideGap =
        (before && arrival.slot - before.slot > 1) || (next && next.slot - arrival.slot > 1);
      if (!kept || isBesideGap || arrival.ns - kept.ns >= thinnedNs) old.push(arrival);
    }
  }

  private followDue(arrival: Arrival, isNewRate: boolean): void {
    const { due, quickest, periodNs } = this;
    const lateNs = (to: Arrival): number => arrival.ns - to.ns - (arrival.slot - to.slot) * periodNs;
    if (!due || isNewRate || lateNs(due) < 0) {
      this.due = arrival;
      this.quickest = null;
      this.dueSinceNs = arrival.ns;
      return;
    }
    if (!quickest || lateNs(quickest) < 0) this.quickest = arrival;
    if (arrival.ns - this.dueSinceNs < dueNs) return;
    this.due = this.quickest;
    this.quickest = null;
    this.dueSinceNs = arrival.ns;
  }

  /** The last arrival for which the condition is false, and the first for which it is true. */
  private around(holds: (arrival: Arrival) => boolean): [Arrival | undefined, Arrival | undefined] {
    const { old, recent } = this;
    const isRecent = old.length === 0 || (recent[0] !== undefined && !holds(recent[0]));
    const list = isRecent ? recent : old;
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holds(list[middle] as Arrival)) high = middle;
      else low = middle + 1;
    }
    return [list[low - 1], list[low] ?? (isRecent ? undefined : recent[0])];
  }
}
