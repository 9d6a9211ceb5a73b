import { judgeClock } from '../../../engine/machine/clock-line';
import { readClockSync } from '../../../engine/sessions/clock-sync';
import type { Check } from '../check';

export const clock: Check = {
  id: 'clock',
  run: async () => judgeClock(await readClockSync()),
};
