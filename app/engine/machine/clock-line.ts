import type { ClockSync } from '../sessions/clock-sync';
import { type Line, ok, unknown, warning } from './line';

/** Never a problem: between two machines we measure the clocks' difference ourselves. */
export function judgeClock(sync: ClockSync): Line {
  const { state, by, offsetUs, detail } = sync;
  const offset = offsetUs === null ? '' : `, ${Math.abs(offsetUs)} µs ${offsetUs < 0 ? 'behind' : 'ahead'}`;
  const found = `${[state, by].filter((part) => part !== '').join(' by ')}${offset} (${detail})`;
  if (state === 'synchronised') return ok(found, { ...sync });
  const advice = 'Times in reports of two machines may differ; latencies do not depend on it';
  const command = 'apt-get install chrony';
  return (state === 'unknown' ? unknown : warning)(found, advice, command, { ...sync });
}
