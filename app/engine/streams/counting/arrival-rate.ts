import { median } from '../clocks/theil-sen';
import { rateOf } from '../foreign/foreign-rate';

/** For how long, and for how many pictures, steps are watched before they tell the rate; `firstNs` holds for the first rate. */
const firstNs = 0.8e9;
const furtherNs = 2e9;
const fewestPictures = 5;
/** A step this many times as long */
const pauseSteps = 4;
const stallUs = 0.5e6;
/** Rates that differ by less are one, measured twice. */
const sameRate = 0.01;
/** Two measurements in a row that differ by more are of pictures that waited, and came as fast as they could. */
const sameBurst = 0.1;

/** A number, and when its picture came. */
export interface Arrival {
  slot: number;
  ns: number;
}

/** A sender's frame rate, from the numbers and arrival times of its pictures. The rate that it declares may be wrong, or change. */
export class ArrivalRate {
  /** The declared one until another is measured; the mean of pictures that come at no steady rate. */
  periodNs: number;
  private isKnown = false;
  private window: Arrival[] = [];
  /** Faster than declared and than before: believed once it is measured again, 0: it is not. */
  private fasterNs = 0;

  constructor(private readonly declaredNs: number) {
    this.periodNs = declaredNs;
  }

  /** Numbers rise. True when another rate was found. */
  add(arrival: Arrival): boolean {
    const { window } = this;
    window.push(arrival);
    const lastedNs = arrival.ns - (window[0]?.ns ?? 0);
    if (window.length < fewestPictures || lastedNs < (this.isKnown ? furtherNs : firstNs)) return false;
    const beforeNs = this.periodNs;
    this.judge(arrival);
    this.window = [arrival];
    this.isKnown = true;
    return Math.abs(this.periodNs / beforeNs - 1) > sameRate;
  }

  private judge(newest: Arrival): void {
    const measuredNs = this.measuredTo(newest);
    const usualNs = Math.min(this.periodNs, this.declaredNs);
    const isFaster = this.isKnown && measuredNs !== null && measuredNs < (1 - sameRate) * usualNs;
    const isAgain = isFaster && Math.abs(measuredNs / this.fasterNs - 1) < sameBurst;
    this.fasterNs = isFaster ? measuredNs : 0;
    if (measuredNs !== null && (!isFaster || isAgain)) this.periodNs = measuredNs;
  }

  /** Null: pictures that waited came at once, which tells nothing. */
  private measuredTo(newest: Arrival): number | null {
    const { window } = this;
    const oldest = window[0] ?? newest;
    // Time per frame number, so that lost frames do not change a step.
    const stepsUs = window.slice(1).map(({ slot, ns }, index) => {
      const before = window[index] ?? oldest;
      return (ns - before.ns) / 1000 / (slot - before.slot);
    });
    const lastedNs = newest.ns - oldest.ns;
    const usualUs = median(stepsUs);
    const steady = stepsUs.filter((stepUs) => stepUs <= pauseSteps * usualUs);
    if (steady.reduce((sum, stepUs) => sum + stepUs * 1000, 0) < lastedNs / 2) {
      // Pictures that waited came at once, here or always.
      const isStall = stepsUs.some((stepUs) => stepUs >= stallUs);
      return isStall ? null : lastedNs / (newest.slot - oldest.slot);
    }
    const found = rateOf(steady, this.declaredNs / 1000);
    return found ? found.periodUs * 1000 : lastedNs / (newest.slot - oldest.slot);
  }
}
