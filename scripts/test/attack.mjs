import { note } from '../setup/report.mjs';
import { runVitest } from './vitest.mjs';

/**
 * What a hostile or broken neighbour can do: kills, cuts, corruptions, messages, connections.
 * @param {{ kills?: number, cuts?: number }} form how many of the two that the long form repeats; by default the short one
 */
export function runAttack({ kills, cuts } = {}) {
  const seed = process.env.WHITELINE_ATTACK_SEED ?? String(Date.now() % 2 ** 31);
  note('attack', `seed ${seed}; WHITELINE_ATTACK_SEED=${seed} repeats it`);
  process.env.WHITELINE_ATTACK_SEED = seed;
  if (kills !== undefined) process.env.WHITELINE_ATTACK_KILLS = String(kills);
  if (cuts !== undefined) process.env.WHITELINE_ATTACK_CUTS = String(cuts);
  return runVitest('attack');
}
