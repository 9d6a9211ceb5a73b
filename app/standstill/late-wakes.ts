import {
  leastLostOfSecondMs,
  leastStandstillMs,
  lookAfterLateMs,
  type Standstill,
  standstillLookMs,
} from '../protocol/standstill';
import { standstillOf, type Wake } from './late-wake';

interface Late extends Standstill {
  isReported: boolean;
}

/** Decides which late wakes of a thread are standstills of its process. */
export class LateWakes {
  /** Of the last second. */
  private recent: Late[] = [];

  /** What is known to be a standstill by now and was not before, oldest first. */
  add(wake: Wake): Standstill[] {
    if (this.recent.length > 0) this.recent = this.recent.filter(({ toNs }) => toNs > wake.wokeNs - 1e9);
    const late = standstillOf(wake);
    if (!late) return [];
    this.recent.push({ ...late, isReported: false });
    const lostNs = this.recent.reduce((sum, one) => sum + lengthNs(one), 0);
    const leastNs = 1e6 * (lostNs >= leastLostOfSecondMs * 1e6 ? 0 : leastStandstillMs);
    const found = this.recent.filter((one) => !one.isReported && lengthNs(one) >= leastNs);
    for (const one of found) one.isReported = true;
    return found.map(({ kind, fromNs, toNs }) => ({ kind, fromNs, toNs }));
  }

  /** How long to sleep next: short stops are seen whole only by who looks more often. */
  get nextLookMs(): number {
    return this.recent.length === 0 ? standstillLookMs : lookAfterLateMs;
  }
}

function lengthNs({ fromNs, toNs }: Standstill): number {
  return toNs - fromNs;
}
