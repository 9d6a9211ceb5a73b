import { type LossMark, lossMarks, type TimelineBlock } from '../../app/protocol/timeline';
import { type Plot, type TimeRange, xOf } from './view-range';

type Losses = Pick<TimelineBlock, 'lossFromMs' | 'lossToMs' | 'lossKeys' | 'lossMark'>;

/** Makes short losses as easy to click as long ones. */
const reachPx = 8;

/** The loss whose mark is nearest to a place, by its index; null: none is near. */
export function lossAtX(losses: Losses, x: number, range: TimeRange, plot: Plot): number | null {
  let best: { index: number; distance: number } | null = null;
  for (let index = 0; index < losses.lossFromMs.length; index++) {
    const from = xOf(losses.lossFromMs[index] ?? 0, range, plot);
    const to = xOf(losses.lossToMs[index] ?? 0, range, plot);
    const distance = Math.max(from - x, x - to, 0);
    if (distance <= reachPx && (best === null || distance < best.distance)) best = { index, distance };
  }
  return best?.index ?? null;
}

/** The next loss in one direction from the chosen one, or the newest if none is chosen. */
export function besideLoss(losses: Losses, chosenKey: string | null, step: 1 | -1): number | null {
  const count = losses.lossKeys.length;
  if (count === 0) return null;
  const at = chosenKey === null ? -1 : losses.lossKeys.indexOf(chosenKey);
  if (at < 0) return count - 1;
  return Math.min(count - 1, Math.max(0, at + step));
}

export function markOf(losses: Losses, index: number): LossMark {
  return lossMarks[losses.lossMark[index] ?? 0] ?? 'absent';
}
