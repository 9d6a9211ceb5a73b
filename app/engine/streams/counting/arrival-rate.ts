import { median } from '../clocks/theil-sen';
import { rateOf } from '../foreign/foreign-rate';

/** So long, and of so many pictures, the steps between them are watched before they say anything; the first time for less long. */
const firstNs = 0.8e9;
const furtherNs = 2e9;
const fewestPictures = 5;
/** A step that is so much longer than the usual one is a pause, and says nothing of the rate. */
const pauseSteps = 4;
const stallUs = 0.5e6;
/** Rates that differ by less are one, measured twice. */
const sameRate = 0.01;

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
    const { window } = this;
    const oldest = window[0] ?? newest;
    // Of each number: what was lost in between changes no step.
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
      if (!isStall) this.periodNs = lastedNs / (newest.slot - oldest.slot);
      return;
    }
    const found = rateOf(steady, this.declaredNs / 1000);
    this.periodNs = found ? found.periodUs * 1000 : lastedNs / (newest.slot - oldest.slot);
  }
}
