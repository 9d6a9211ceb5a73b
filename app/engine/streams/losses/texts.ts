import type { DiskSpeed } from '../stream';

/** Parts of sentences that verdicts and explanations share. */

export function frames(count: number): string {
  return count === 1 ? '1 frame' : `${count} frames`;
}

export function pictures(count: number): string {
  return count === 1 ? '1 picture' : `${count} pictures`;
}

/** How fast a movie was read against what it needs; empty where that is not known. */
export function speedText({ rateMBps, neededMBps }: DiskSpeed): string {
  if (rateMBps === null || neededMBps === null) return '';
  return ` (${figure(rateMBps)} MB/s of ${figure(neededMBps)} MB/s needed)`;
}

/** "60", "59.94". */
export function rateText(framesPerSecond: number): string {
  return framesPerSecond.toFixed(2).replace(/\.?0+$/, '');
}

/** Two digits at least. */
export function figure(value: number): string {
  return value < 10 ? value.toPrecision(2) : value.toFixed(0);
}
