import { hasFeature } from '../../engine/tools/tool-versions';

/**
 * Threads of iperf3 that can each fill a core.
 * @param version such as "iperf 3.12"; null or none that can be read: one thread, as the older ones have
 * @param cores of that machine; null: not known
 */
export function threadsOf(version: string | null, streams: number, cores: number | null): number {
  return hasFeature('iperfThreads', version) ? Math.max(1, Math.min(streams, cores ?? streams)) : 1;
}
