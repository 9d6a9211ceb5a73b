import { checkFaults } from '../../engine/faults/expected-counts';
import { parseFaults } from '../../protocol/faults';
import { framesPerSecond, type Rate } from '../../protocol/format';
import type { Fault } from '../../protocol/records';
import type { StreamLoadParameters } from './declaration';

/**
 * The faults to put in, counted from the first measured slot.
 * @throws WhitelineError BAD_INPUT if they cannot be distinguished at this rate, or reach beyond the row
 */
export function injectedFaults({ inject, holdSeconds }: StreamLoadParameters, rate: Rate): Fault[] {
  const faults = inject ? parseFaults(inject) : [];
  checkFaults(faults, rate, Math.floor(holdSeconds * framesPerSecond(rate)));
  return faults;
}
