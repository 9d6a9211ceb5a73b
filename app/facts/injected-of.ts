import type { CauseCode } from './cause-words';
import type { Loss } from './loss';

const putIn: ReadonlySet<string> = new Set<CauseCode>(['injected', 'sender-injected']);

/** How many frames of a loss were put in on purpose. One of the causes comes first then; where it explains a part alone, it says which. */
export function injectedOf({ causes = [], frames }: Pick<Loss, 'causes' | 'frames'>): number {
  const [first] = causes;
  if (!first || !putIn.has(first.code)) return 0;
  const { frames: part } = first.data;
  return typeof part === 'number' ? Math.min(part, frames) : frames;
}
