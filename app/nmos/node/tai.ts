/** Times of NMOS: nanoseconds of TAI since 1970, written `seconds:nanoseconds` (IS-04 APIs: Common Keys, Version). */

export interface TaiClock {
  taiNs(): bigint;
}

/** TAI is ahead of UTC by this since 2017; no leap second has been announced since (IERS Bulletin C). */
const leapSeconds = 37n;
const nsPerSecond = 1_000_000_000n;
const nsPerMs = 1_000_000n;

/** By the wall clock of this machine, which is as exact as whatever keeps it. */
export const machineTaiClock: TaiClock = {
  taiNs: () =>
    BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n +
    leapSeconds * nsPerSecond,
};

export function taiText(ns: bigint): string {
  return `${ns / nsPerSecond}:${ns % nsPerSecond}`;
}

/** Null for a text that is no time, one with a billion nanoseconds or more among them. */
export function parseTai(text: string): bigint | null {
  const [, seconds, nanoseconds] = /^(\d{1,12}):(\d{1,9})$/.exec(text) ?? [];
  if (seconds === undefined || nanoseconds === undefined) return null;
  return BigInt(seconds) * nsPerSecond + BigInt(nanoseconds);
}

/** Rounded up, so that a timer of so long does not end too early. */
export function msOf(ns: bigint): number {
  return Number((ns + nsPerMs - 1n) / nsPerMs);
}
