import type { Loss } from './loss';

/**
 * Which frames a loss has: "frame 624", "frames 624 and 626", "frames 624 to 626", "3 of the frames 624 to 627". The first and the
 * last of them are lost; of those between a few may have come.
 */
export function frameRangeText({
  firstFrame,
  lastFrame,
  frames,
}: Pick<Loss, 'firstFrame' | 'lastFrame' | 'frames'>): string {
  if (frames === 1 && firstFrame === lastFrame) return `frame ${firstFrame}`;
  if (frames === 2 && lastFrame > firstFrame) return `frames ${firstFrame} and ${lastFrame}`;
  const range = `frames ${firstFrame} to ${lastFrame}`;
  return frames === lastFrame - firstFrame + 1 ? range : `${frames} of the ${range}`;
}
