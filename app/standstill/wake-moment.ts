import type { Clock } from '../protocol/clock';
import { leastLateMs } from '../protocol/standstill';

/** What a thread knows when it wakes. */
export interface WakeMoment {
  wokeNs: number;
  /** How long the thread waited for a processor in its life; null: the system does not tell. */
  queuedNs: number | null;
  /** What the hypervisor took of all processors since the moment before. */
  stolenNs: number;
}

const longestReadingNs = 2e6;
const mostReadings = 4;

/**
 * Reads the clock and the waiting time as of one moment. A thread that loses its processor between the two readings would find its
 * wait in this piece and its delay in the next, which would then look stopped: it reads again.
 */
export function readWakeMoment(
  dueNs: number,
  clock: Pick<Clock, 'monotonicNs'>,
  queuedTime: () => number | null,
  stolenTime: (nowNs: number, isLate: boolean) => number,
): WakeMoment {
  let stolenNs = 0;
  for (let reading = 1; ; reading++) {
    const wokeNs = clock.monotonicNs();
    const queuedNs = queuedTime();
    stolenNs += stolenTime(wokeNs, wokeNs - dueNs >= leastLateMs * 1e6);
    const tookNs = clock.monotonicNs() - wokeNs;
    if (tookNs < longestReadingNs || reading === mostReadings) return { wokeNs, queuedNs, stolenNs };
  }
}
