/**
 * Calls `look` at this interval, each time only after what has arrived was read: a process that was held up would otherwise take an
 * answer that waits to be read for silence. Returns what ends it.
 */
export function lookRegularly(intervalMs: number, look: () => void): () => void {
  let isOver = false;
  const timer = setInterval(
    () =>
      setImmediate(() => {
        if (!isOver) look();
      }),
    intervalMs,
  );
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
