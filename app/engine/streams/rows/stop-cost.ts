import type { Fact } from '../../../protocol/fact';
import { brokenGuards, type Guard } from '../../../protocol/precedence';
import type { Stream } from '../stream';

/** At most so many frames of a stream were due while a process was stopped for longer than it may. */
export interface StopCost {
  /** In the process that sends it, here or elsewhere. */
  missed: number;
  /** In the process that receives it. */
  queued: number;
}

export const noStopCost: StopCost = { missed: 0, queued: 0 };

/** By the guards of a row: what a stop explains, no other guard needs to say. */
export function stopCostOf(
  guards: readonly Guard[],
  { name, framesPerSecond }: Pick<Stream, 'name' | 'framesPerSecond'>,
): StopCost {
  const stops = brokenGuards(guards).filter(({ code }) => code === 'process-stopped');
  const framesOf = (isOf: (data: Fact['data']) => boolean): number =>
    stops
      .filter(({ data }) => isOf(data))
      // A stop of a moment more than whole frames costs one more at each end.
      .map(({ data: { seconds } }) => Math.ceil(Number(seconds ?? 0) * framesPerSecond) + 1)
      .reduce((sum, frames) => sum + frames, 0);
  return {
    missed: framesOf(({ role, sender }) => role === 'sending' || sender === name),
    queued: framesOf(({ role }) => role === 'receiving'),
  };
}
