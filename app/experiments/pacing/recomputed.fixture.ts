import { expect } from 'vitest';
import type { PacingReadings } from './measure';

/**
 * The figures of `pacing` out of a raw log alone, by the plainest code that follows their definitions in docs/experiments/pacing.md: it shares
 * nothing with the pacer.
 */

/** A packet, in the order in which they came. */
export interface Stamp {
  index: number;
  stampNs: bigint;
}

interface Hold {
  fromNs: bigint;
  toNs: bigint;
}

interface Schedule {
  startNs: bigint;
  intervalNs: number;
  presentationNs: number;
  packets: number;
}

export interface Recomputed {
  intervals: Of;
  undisturbed: Of;
  excluded: number;
  counts: Record<
    | 'received'
    | 'lost'
    | 'duplicated'
    | 'reordered'
    | 'early'
    | 'late'
    | 'longestLateRun'
    | 'tooLateToPresent',
    number
  >;
  lostNumbers: number[];
  earliestNs: number;
  latestNs: number;
}

/** Intervals, the shortest first. */
interface Of {
  sorted: number[];
  meanNs: number;
  sdNs: number;
}

function pairsOf(csv: string): [string, string][] {
  const [, ...lines] = csv.trim().split('\n');
  return lines.map((line) => {
    const [one = '', other = ''] = line.split(',');
    return [one, other];
  });
}

export function readStamps(csv: string): Stamp[] {
  return pairsOf(csv).map(([index, stampNs]) => ({ index: Number(index), stampNs: BigInt(stampNs) }));
}

export function readHolds(csv: string): Hold[] {
  return pairsOf(csv).map(([fromNs, toNs]) => ({ fromNs: BigInt(fromNs), toNs: BigInt(toNs) }));
}

export function recomputedOf(
  stamps: readonly Stamp[],
  holds: readonly Hold[],
  schedule: Schedule,
): Recomputed {
  const pairs = stamps
    .slice(1)
    .map(({ stampNs }, at) => ({ fromNs: stamps[at]?.stampNs ?? 0n, toNs: stampNs }));
  const lengthOf = ({ fromNs, toNs }: Hold): number => Number(toNs - fromNs);
  const edgeNs = BigInt(schedule.intervalNs);
  const calm = pairs.filter(
    ({ fromNs, toNs }) => !holds.some((hold) => hold.fromNs - edgeNs <= toNs && hold.toNs + edgeNs >= fromNs),
  );
  return {
    intervals: ofIntervals(pairs.map(lengthOf)),
    undisturbed: ofIntervals(calm.map(lengthOf)),
    excluded: pairs.length - calm.length,
    ...countsOf(stamps, schedule),
  };
}

function ofIntervals(intervals: readonly number[]): Of {
  const n = BigInt(intervals.length);
  const sum = intervals.reduce((total, ns) => total + BigInt(ns), 0n);
  const squares = intervals.reduce((total, ns) => total + BigInt(ns) ** 2n, 0n);
  return {
    sorted: [...intervals].sort((one, other) => one - other),
    meanNs: Number(sum) / Number(n),
    sdNs: Math.sqrt(Number(n * squares - sum ** 2n) / Number(n * (n - 1n))),
  };
}

function countsOf(
  stamps: readonly Stamp[],
  { startNs, intervalNs, presentationNs, packets }: Schedule,
): Pick<Recomputed, 'counts' | 'lostNumbers' | 'earliestNs' | 'latestNs'> {
  const seen = new Set<number>();
  let [duplicated, reordered, highest] = [0, 0, -1];
  const byNs: number[] = [];
  for (const { index, stampNs } of stamps) {
    if (seen.has(index)) {
      duplicated += 1;
      continue;
    }
    seen.add(index);
    if (index < highest) reordered += 1;
    highest = Math.max(highest, index);
    byNs.push(Number(stampNs - startNs - BigInt(index * intervalNs)));
  }
  const runs = byNs
    .map((ns) => (ns > intervalNs ? 'late' : ' '))
    .join('')
    .split(' ')
    .map((run) => run.length / 'late'.length);
  const lostNumbers = Array.from({ length: packets }, (_, index) => index).filter(
    (index) => !seen.has(index),
  );
  return {
    counts: {
      ...{ received: seen.size, lost: lostNumbers.length, duplicated, reordered },
      early: byNs.filter((ns) => ns < -intervalNs).length,
      late: runs.reduce((total, run) => total + run, 0),
      longestLateRun: Math.max(...runs),
      tooLateToPresent: byNs.filter((ns) => ns > presentationNs).length,
    },
    lostNumbers,
    earliestNs: byNs.reduce((least, ns) => Math.min(least, ns)),
    latestNs: byNs.reduce((most, ns) => Math.max(most, ns)),
  };
}

/** By nearest rank. */
function quantileOf({ sorted }: Of, share: number): number {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

const nominalNs = 125_000;
/** From there on the pacer knows a deviation to 1/16384 of itself alone. */
const exactNs = 131_072;
const quantiles = [
  ['p001Ns', 0.001],
  ['p25Ns', 0.25],
  ['p50Ns', 0.5],
  ['p75Ns', 0.75],
  ['p99Ns', 0.99],
  ['p999Ns', 0.999],
  ['p9999Ns', 0.9999],
] as const;
const curveShares = [
  ...[0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70],
  ...[75, 80, 85, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.98, 99.99, 99.999],
].map((percent) => percent / 100);

/** Every figure that stamps and holds say something of is the recomputed one, to the nanosecond. */
export function expectSame(found: PacingReadings, own: Recomputed): void {
  const { received } = found;
  expectSameIntervals(found.intervals.received, own.intervals);
  expectSameIntervals(found.intervals.undisturbed, own.undisturbed);
  expect(received).toMatchObject({ ...own.counts, excluded: own.excluded });
  expect([received.earliestNs, received.latestNs]).toEqual([own.earliestNs, own.latestNs]);
  expect(received.timeIntervalErrorNs).toBe(own.latestNs - own.earliestNs);
  expect(numbersIn(received.lostRanges)).toEqual(own.lostNumbers);
  const seconds = found.seconds.filter(({ intervals }) => intervals > 0);
  const { sorted } = own.intervals;
  expect(Math.min(...seconds.map(({ minNs }) => minNs))).toBe(sorted[0]);
  expect(Math.max(...seconds.map(({ maxNs }) => maxNs))).toBe(sorted.at(-1));
  expect(seconds.reduce((total, { intervals }) => total + intervals, 0)).toBe(sorted.length);
}

function expectSameIntervals(found: PacingReadings['intervals']['received'], own: Of): void {
  const { sorted } = own;
  expect(found).toMatchObject({ count: sorted.length, minNs: sorted[0], maxNs: sorted.at(-1) });
  expect(found?.meanNs).toBeCloseTo(own.meanNs, 6);
  expect(found?.sdNs).toBeCloseTo(own.sdNs, 4);
  for (const [name, share] of quantiles) expectNear(found?.[name], quantileOf(own, share), name);
  expect(found?.curveNs).toHaveLength(curveShares.length);
  for (const [at, share] of curveShares.entries())
    expectNear(found?.curveNs?.[at], quantileOf(own, share), `${100 * share} %`);
  expectSameBins(found, sorted);
}

/** To the nanosecond, where the pacer knows each. */
function expectNear(found: number | undefined, ns: number, what: string): void {
  const distanceNs = Math.abs(ns - nominalNs);
  const resolutionNs = distanceNs < exactNs ? 0 : Math.ceil(distanceNs / 16_384);
  expect(Math.abs((found ?? Number.NaN) - ns), `${what}: ${found} against ${ns}`).toBeLessThanOrEqual(
    resolutionNs,
  );
}

/** Of the bins in which it knows each nanosecond. */
function expectSameBins(found: PacingReadings['intervals']['received'], sorted: readonly number[]): void {
  const { firstBin = 0, binCounts = [] } = found ?? {};
  expect(binCounts.reduce((sum, count) => sum + count)).toBe(sorted.length);
  const binOf = (ns: number): number => (ns < 1000 ? 0 : Math.floor(50 * Math.log10(ns / 1000) + 1e-9));
  const own = new Map<number, number>();
  for (const ns of sorted) own.set(binOf(ns), (own.get(binOf(ns)) ?? 0) + 1);
  for (let bin = 0; bin < binOf(nominalNs + exactNs); bin++)
    expect(binCounts[bin - firstBin] ?? 0, `bin ${bin}`).toBe(own.get(bin) ?? 0);
}

function numbersIn(flat: readonly number[]): number[] {
  return flat.flatMap((first, at) => {
    const last = flat[at + 1] ?? first;
    return at % 2 === 0 ? Array.from({ length: last - first + 1 }, (_, step) => first + step) : [];
  });
}
