/** Parts of sentences that verdicts and explanations share. */

/** "1 node", "2 nodes". */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export function frames(count: number): string {
  return counted(count, 'frame');
}

export function pictures(count: number): string {
  return counted(count, 'picture');
}

/** "1 packet", "2 packets", "1–5 packets". */
export function countText(counts: readonly number[], unit: string): string {
  return `${rangeText(counts, String)} ${unit}${Math.max(...counts) === 1 ? '' : 's'}`;
}

/** The smallest and the largest of the known numbers, once where they read alike; empty if none is known. */
export function rangeText(values: readonly (number | null)[], format: (value: number) => string): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const [least, most] = [format(Math.min(...known)), format(Math.max(...known))];
  return least === most ? least : `${least}–${most}`;
}

const pageCacheWords = new Map([
  ['cached', ', through the page cache'],
  ['direct', ', past the page cache'],
]);

/** How fast a movie was read against what it needs, MB/s; empty if that is not known. */
export function speedText(
  ratesMBps: readonly (number | null)[],
  neededMBps: readonly (number | null)[],
  reads: string,
): string {
  const [rate, needed] = [rangeText(ratesMBps, figure), rangeText(neededMBps, figure)];
  return rate === '' || needed === ''
    ? ''
    : ` (${rate} MB/s of ${needed} MB/s needed${pageCacheWords.get(reads) ?? ''})`;
}

/** "60", "59.94". */
export function rateText(framesPerSecond: number): string {
  return framesPerSecond.toFixed(2).replace(/\.?0+$/, '');
}

/** Two digits at least. */
export function figure(value: number): string {
  return value < 10 ? value.toPrecision(2) : value.toFixed(0);
}

/** "17 ms", "12.0 s": how long something lasted. */
export function lengthText(seconds: number): string {
  return seconds < 0.95 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

/** By how much a clock was set. */
export function stepText(byMs: number): string {
  return `${Math.abs(byMs).toFixed(1)} ms ${byMs > 0 ? 'ahead' : 'back'}`;
}
