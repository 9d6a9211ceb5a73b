import { type ClockSync, readClockSync } from '../../../engine/sessions/clock-sync';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';

/** Never a problem: between two machines we measure the clocks' difference ourselves. */
export function judgeClock(clockSync: ClockSync): Line {
  const { state: sync, by, offsetUs, detail } = clockSync;
  const data = { sync, by, offsetUs, detail };
  if (sync === 'synchronised') return ok(foundOf('clock', data), { ...clockSync });
  return (sync === 'unknown' ? unknown : warning)(foundOf('clock-alone', data), { ...clockSync });
}

export const clock: Check = {
  id: 'clock',
  run: async () => judgeClock(await readClockSync()),
};
