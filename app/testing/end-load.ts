import type { DeviceLoad, EndLoad } from '../engine/streams/rows/end-load';

export function deviceLoad(busiestPercent: number | null, othersPercent: number | null): DeviceLoad {
  return { busiestPercent, othersPercent, noOthers: 'no file descriptor is left' };
}

/** A machine without a GPU. */
export function endLoad(cpuPercent: number | null, othersPercent: number | null = 0): EndLoad {
  return { cpu: deviceLoad(cpuPercent, othersPercent), gpu: deviceLoad(null, null), isElsewhere: false };
}
