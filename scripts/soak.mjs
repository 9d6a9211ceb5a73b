import { parseArgs } from 'node:util';
import { runMain, SetupError } from './setup/report.mjs';
import { soakAttack } from './soak/attack.mjs';
import { soakClosings } from './soak/closings.mjs';
import { soakDisturb, soakMatrix } from './soak/disturb.mjs';
import { soakMemory } from './soak/memory.mjs';
import { soakStreams } from './soak/streams.mjs';
import { soakWitness } from './soak/witness.mjs';

/** Each resolves to false if something does not hold. */
const areas = {
  streams: soakStreams,
  memory: soakMemory,
  attack: soakAttack,
  witness: soakWitness,
  closings: soakClosings,
  disturb: soakDisturb,
  matrix: soakMatrix,
};

const numbers = {
  minutes: { fallback: '10', least: 2, most: 24 * 60 },
  closings: { fallback: '10000', least: 8000, most: 1_000_000 },
  cycles: { fallback: '200', least: 40, most: 100_000 },
  seed: { fallback: String(Date.now() % 2 ** 31), least: 0, most: 2 ** 31 },
};

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        Object.entries(numbers).map(([name, { fallback }]) => [name, { type: 'string', default: fallback }]),
      ),
      only: { type: 'string' },
    },
  });
  const options = {
    ...Object.fromEntries(
      Object.keys(numbers).map((name) => [name, numberOf(name, values[name], positionals)]),
    ),
    only: values.only,
  };
  const chosen = positionals.length > 0 ? positionals : ['streams'];
  const unknown = chosen.find((name) => !(name in areas));
  if (unknown) {
    throw new SetupError(
      `Expected one of ${Object.keys(areas).join(', ')} for the area but received ${unknown}.`,
      'npm run soak -- attack',
    );
  }
  let holds = true;
  for (const name of chosen) holds = (await areas[name](options)) && holds;
  return holds ? 0 : 1;
});

function numberOf(name, text, areaNames) {
  const { fallback, least, most } = numbers[name];
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new SetupError(
    `Expected a whole number from ${least} to ${most} for --${name} but received ${text}.`,
    `npm run soak -- ${[...areaNames, `--${name}`, fallback].join(' ')}`,
  );
}
