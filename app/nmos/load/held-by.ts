import type { Clock } from '../../protocol/clock';
import { type OwnedResources, readResources } from './count-resources';
import type { Held } from './load-judgement';
import { resourcesPerNode } from './simulated-node';

/**
 * What these Query APIs hold of a load. Registries of one cluster may each hold all of it: each resource counts once.
 * @param registered nodes that registered
 */
export async function heldBy(
  queries: readonly string[],
  owned: OwnedResources,
  registered: number,
  clock: Clock,
): Promise<Held> {
  const expected = registered * resourcesPerNode;
  const there = new Set<string>();
  for (const query of queries) {
    try {
      const { ours } = await readResources({ query, version: 'v1.3' }, owned, clock);
      for (const id of ours) there.add(id);
    } catch (error) {
      return { there: null, expected, why: `${query}: ${(error as Error).message}` };
    }
  }
  return { there: there.size, expected, why: '' };
}
