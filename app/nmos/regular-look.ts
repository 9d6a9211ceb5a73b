import type { Clock } from '../protocol/clock';

/**
 * Calls `look` at this interval, each time only after what has arrived was read: a process that was held up would otherwise take an
 * answer that waits to be read for silence. Returns what ends it.
 */
export function lookRegularly(clock: Pick<Clock, 'every'>, intervalMs: number, look: () => void): () => void {
  let isOver = false;
  const stop = clock.every(intervalMs, () =>
    setImmediate(() => {
      if (!isOver) look();
    }),
  );
  return () => {
    isOver = true;
    stop();
  };
}
