import type { LoadSample } from '../../../protocol/load';
import { othersCpuOf } from '../../load/load-sums';
import { meanOf } from '../repeats';

/** What other programs took of the CPU, %; null: no sample says it. */
export function othersPercent(samples: readonly LoadSample[]): number | null {
  return meanOf(samples.map(othersCpuOf).filter((percent) => typeof percent === 'number'));
}
