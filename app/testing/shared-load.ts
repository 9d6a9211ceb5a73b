import type { SharedLoad } from '../protocol/shared-records';

/** The load that a sender reports of its machine, of which a test names what it needs; the rest was not measured there. */
export function sharedLoad(load: Partial<SharedLoad>): SharedLoad {
  return {
    measuredNs: 0,
    cpuPercent: null,
    gpuPercent: null,
    othersPercent: null,
    stealPercent: null,
    ...load,
  };
}
