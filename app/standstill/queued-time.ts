import { openSync, readSync } from 'node:fs';

/** "time on a processor, time in the queue for one, turns": ns, ns. A thread that asks has had a turn: a kernel that does not count has 0. */
const pattern = /^\d+ (\d+) [1-9]/;
const longest = 100;

/**
 * How long the calling thread waited for a processor since it began, ns, each time that it is asked: Linux alone tells it, and not
 * every Linux. Null: it is not known.
 */
export function openQueuedTime(file = '/proc/thread-self/schedstat'): () => number | null {
  const descriptor = opened(file);
  const text = Buffer.alloc(longest);
  return () => {
    if (descriptor === null) return null;
    try {
      const length = readSync(descriptor, text, 0, longest, 0);
      const [, queued] = pattern.exec(text.toString('latin1', 0, length)) ?? [];
      return queued === undefined ? null : Number(queued);
    } catch {
      return null;
    }
  };
}

function opened(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch {
    return null;
  }
}
