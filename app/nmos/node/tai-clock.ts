import { taiMinusUtcSeconds } from '../tai';

export interface TaiClock {
  /** Since 1970. */
  taiNs(): bigint;
}

const nsPerMs = 1_000_000n;

/** By the wall clock of this machine, in steps of 1 ms, which is as exact as whatever keeps it. */
export const machineTaiClock: TaiClock = {
  taiNs: () => BigInt(Date.now() + taiMinusUtcSeconds * 1000) * nsPerMs,
};

/** Rounded up, so that a timer of so long does not end too early. */
export function msOf(ns: bigint): number {
  return Number((ns + nsPerMs - 1n) / nsPerMs);
}
