import { mkdirSync } from 'node:fs';
import { setUp } from '../setup/index.mjs';
import { runAttack } from '../test/attack.mjs';
import { resultFolder } from '../test/counts.mjs';

const longForm = { kills: 100, cuts: 10_000 };

/** The suite `attack` in its long form. */
export async function soakAttack() {
  await setUp(['test']);
  mkdirSync(resultFolder, { recursive: true });
  const { failed } = await runAttack(longForm);
  return failed === 0;
}
