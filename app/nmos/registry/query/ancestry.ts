import { Refusal } from '../../http/reply';
import type { Resource } from '../resource';

/** Parents and children of sources and flows (IS-04 APIs – Query Parameters, "Ancestry Queries"). */

export interface Ancestry {
  id: string;
  direction: 'parents' | 'children';
  generations: number;
}

const usualGenerations = 10;
const mostGenerations = 100;
const names = ['query.ancestry_id', 'query.ancestry_type', 'query.ancestry_generations'] as const;

/**
 * Reads the parameters of ancestry and returns the others; null if none is asked for.
 * @throws Refusal 400
 */
export function readAncestry(parameters: [string, string][]): {
  ancestry: Ancestry | null;
  others: [string, string][];
} {
  const values = new Map(parameters);
  const [id, direction, generations] = names.map((name) => values.get(name));
  if ([id, direction, generations].every((value) => value === undefined))
    return { ancestry: null, others: parameters };
  if (id === undefined) throw new Refusal(400, 'Expected an id for query.ancestry_id but received nothing');
  if (direction !== 'parents' && direction !== 'children')
    throw new Refusal(
      400,
      `Expected parents or children for query.ancestry_type but received ${direction ?? 'nothing'}`,
    );
  const count = generations === undefined ? usualGenerations : Number(generations);
  if (!Number.isInteger(count) || count < 1 || count > mostGenerations)
    throw new Refusal(
      400,
      `Expected 1 to ${mostGenerations} for query.ancestry_generations but received ${generations}`,
    );
  const others = parameters.filter(([name]) => !names.some((known) => known === name));
  return { ancestry: { id, direction, generations: count }, others };
}

/** Ids of all that descend from the resource, or that it descends from, without itself. */
export function* relativesOf(
  { id, direction, generations }: Ancestry,
  all: readonly Resource[],
): Generator<void, Set<string>> {
  const linked = new Map<string, string[]>();
  for (const resource of all) {
    const { parents }: { parents: string[] } = JSON.parse(resource.body.json);
    if (direction === 'parents') linked.set(resource.id, parents);
    else for (const parent of new Set(parents)) addTo(linked, parent, resource.id);
    yield;
  }
  const found = new Set<string>();
  let generation = [id];
  for (let left = generations; left > 0 && generation.length > 0; left--) {
    const next = new Set<string>();
    for (const one of generation) for (const relative of linked.get(one) ?? []) next.add(relative);
    generation = [...next].filter((one) => !found.has(one));
    for (const one of generation) found.add(one);
  }
  found.delete(id);
  return found;
}

function addTo(linked: Map<string, string[]>, id: string, relative: string): void {
  const relatives = linked.get(id);
  if (relatives) relatives.push(relative);
  else linked.set(id, [relative]);
}
