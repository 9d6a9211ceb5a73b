import type { DeviceLoad, EndLoad } from '../engine/streams/rows/end-load';

export function deviceLoad(busiestPercent: number | null, othersPercent: number | null): DeviceLoad {
  return { busiestPercent, othersPercent, noOthers: 'no file descriptor is left' };
}

/** A machine without a GPU. */
export function endLoad(cpuPercent: number | null, othersPercent: number | null = 0): EndLoad {
  const gpu = deviceLoad(null, null);
  return { cpu: deviceLoad(cpuPercent, othersPercent), gpu, stolenPercent: 0, isElsewhere: false };
}
