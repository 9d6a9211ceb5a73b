import { rateText } from '../../../facts/count-words';
import { isMultiple } from './foreign-rate';

/** Rates that differ by less are one: a rate follows the sender's clock slowly. */
const sameRate = 0.01;
/** How many rates are named and remembered; if a sender changes more often, the newest. */
const keptRates = 16;
const namedRates = 4;

/** A rate at which frames are followed. */
export interface RateInUse {
  periodUs: number;
  isDeclared: boolean;
  /** Number of the rate among those found one after the other; each becomes more exact with time. */
  begun: number;
}

function isSame(one: RateInUse, other: RateInUse): boolean {
  return one.begun === other.begun || Math.abs(one.periodUs / other.periodUs - 1) < sameRate;
}

/** The rates at which a sender was followed in one format. */
export class FollowedRates {
  private rates: RateInUse[] = [];

  add(rate: RateInUse): void {
    this.rates = [...this.rates.filter((known) => !isSame(known, rate)), rate].slice(-keptRates);
  }

  clear(): void {
    this.rates = [];
  }

  /** The fastest rate of which `periodUs` is a whole multiple, µs; null: there is none. */
  quickerThan(periodUs: number): number | null {
    const quicker = this.rates.filter((known) => isMultiple(periodUs, known.periodUs));
    return quicker.length > 0 ? Math.min(...quicker.map((known) => known.periodUs)) : null;
  }
}

/** The rates at which the frames of a stretch of time were followed, in their order. */
export class RatesInUse {
  private rates: RateInUse[] = [];

  get newest(): RateInUse | null {
    return this.rates.at(-1) ?? null;
  }

  get all(): readonly RateInUse[] {
    return this.rates;
  }

  copy(): RatesInUse {
    const copy = new RatesInUse();
    copy.rates = [...this.rates];
    return copy;
  }

  add(rate: RateInUse): void {
    const { newest } = this;
    const others = newest && isSame(newest, rate) ? this.rates.slice(0, -1) : this.rates;
    this.rates = [...others, rate].slice(-keptRates);
  }

  /** Against what frames were counted, as a part of a sentence; `unit`: frames, or fields. */
  text(unit: string, declaredPerSecond: number): string {
    const { newest, rates } = this;
    const declared = rateText(declaredPerSecond);
    if (!newest || (rates.length === 1 && newest.isDeclared))
      return `the declared rate of ${declared} ${unit} a second`;
    const each = rates.slice(-namedRates).map(({ periodUs }) => rateText(1e6 / periodUs));
    if (rates.length > 1) {
      const first = rates.length > namedRates ? 'rates that changed often, at the end ' : 'rates of ';
      return `the measured ${first}${each.join(', then ')} ${unit} a second (${declared} declared)`;
    }
    const declaredUs = 1e6 / declaredPerSecond;
    const isHalf = Math.round(newest.periodUs / declaredUs) === 2;
    const left = isHalf
      ? `whether every other one is left out`
      : `whether ${unit} between these are left out`;
    const beside = isMultiple(newest.periodUs, declaredUs) ? `; ${left} is not known` : '';
    return `the measured rate of ${each[0]} ${unit} a second (${declared} declared${beside})`;
  }
}

/** Why nothing is known of frames that are missing at a rate which is a whole fraction of another one of this sender. */
export function slowedText(unit: string, periodUs: number, quickerUs: number): string {
  const [slow, quick] = [rateText(1e6 / periodUs), rateText(1e6 / quickerUs)];
  return `its rate changed between ${quick} and ${slow} ${unit} a second: whether it leaves ${unit} out at ${slow} is not known`;
}
