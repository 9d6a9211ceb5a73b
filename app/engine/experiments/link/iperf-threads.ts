/** The first version with a thread for each stream; before it, all streams of one end share one. */
const threaded = [3, 16] as const;

/**
 * Threads of iperf3 that can each fill a core.
 * @param version such as "iperf 3.12"; null or none that can be read: one thread, as the older ones have
 * @param cores of that machine; null: not known
 */
export function threadsOf(version: string | null, streams: number, cores: number | null): number {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  const [isNewer, isSame] = [Number(major) > threaded[0], Number(major) === threaded[0]];
  const isThreaded = isNewer || (isSame && Number(minor) >= threaded[1]);
  return isThreaded ? Math.max(1, Math.min(streams, cores ?? streams)) : 1;
}
