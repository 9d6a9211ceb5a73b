import type { Clock } from '../protocol/clock';

/** The machine's clock, by which all processes of a machine beat together. */
export const beatClock: Pick<Clock, 'monotonicNs' | 'after'> = {
  monotonicNs: () => Number(process.hrtime.bigint()),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
