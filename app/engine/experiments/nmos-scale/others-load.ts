import type { LoadSample } from '../../../protocol/load';
import { meanOf } from '../repeats';

/** What other programs took of the CPU, %; null: no sample says it. */
export function othersPercent(samples: readonly LoadSample[]): number | null {
  return meanOf(
    samples.flatMap(({ cpuPercent, roles }) => {
      const own = Object.values(roles).reduce((sum, role) => sum + (role?.cpuPercent ?? 0), 0);
      return cpuPercent === null ? [] : Math.max(0, cpuPercent - own);
    }),
  );
}
