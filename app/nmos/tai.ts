import type { Clock } from '../protocol/clock';

/**
 * TAI timestamps as NMOS writes them, `<seconds>:<nanoseconds>` (IS-04 APIs – Common Keys, "Version"); in here nanoseconds since
 * the epoch of TAI, 1970.
 */

/** TAI minus UTC, s: since 2017, and no leap second has been announced since (IERS Bulletin C). */
export const taiMinusUtcSeconds = 37;

const nsPerSecond = 1_000_000_000n;

/** As exact as whatever keeps the wall clock, in whole µs. */
export function taiNs(clock: Pick<Clock, 'wallMs'>): bigint {
  return BigInt(Math.round((clock.wallMs() + taiMinusUtcSeconds * 1000) * 1000)) * 1000n;
}

export function taiText(ns: bigint): string {
  return `${ns / nsPerSecond}:${ns % nsPerSecond}`;
}

/** null for what is no timestamp. */
export function taiOf(text: string): bigint | null {
  const [, seconds, nanoseconds] = /^(\d{1,18}):(\d{1,9})$/.exec(text) ?? [];
  if (seconds === undefined || nanoseconds === undefined) return null;
  return BigInt(seconds) * nsPerSecond + BigInt(nanoseconds);
}

/** Below 0 if version a is earlier. Versions may have more digits than a timestamp; they are compared as numbers. */
export function compareVersions(a: string, b: string): number {
  const [aSeconds = '', aNanoseconds = ''] = a.split(':');
  const [bSeconds = '', bNanoseconds = ''] = b.split(':');
  return compareDigits(aSeconds, bSeconds) || compareDigits(aNanoseconds, bNanoseconds);
}

function compareDigits(a: string, b: string): number {
  const [left, right] = [a, b].map((digits) => digits.replace(/^0+/, '')) as [string, string];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** Timestamps of one machine, each later than the one before, whatever its clock does. */
export class TaiStamps {
  private last = 0n;

  constructor(private readonly clock: Pick<Clock, 'wallMs'>) {}

  next(): bigint {
    const now = taiNs(this.clock);
    this.last = now > this.last ? now : this.last + 1n;
    return this.last;
  }

  /** The next one is later than this one of another machine too. */
  observe(stamp: bigint): void {
    if (stamp > this.last) this.last = stamp;
  }

  seconds(): number {
    return Math.floor(this.clock.wallMs() / 1000) + taiMinusUtcSeconds;
  }
}
