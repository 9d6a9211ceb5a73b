import { chooseSeed } from './seeds.mjs';
import { runVitest } from './vitest.mjs';

/**
 * What a hostile or broken neighbour can do: kills, cuts, corruptions, messages, connections.
 * @param {{ kills?: number, cuts?: number }} form how many of the two that the long form repeats; by default the short one
 */
export function runAttack({ kills, cuts } = {}) {
  chooseSeed('attack');
  if (kills !== undefined) process.env.WHITELINE_ATTACK_KILLS = String(kills);
  if (cuts !== undefined) process.env.WHITELINE_ATTACK_CUTS = String(cuts);
  return runVitest('attack');
}
