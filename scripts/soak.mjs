import { parseArgs } from 'node:util';
import { runMain, SetupError } from './setup/report.mjs';
import { soakAttack } from './soak/attack.mjs';
import { soakStreams } from './soak/streams.mjs';

/** Each resolves to false where something does not hold. */
const areas = {
  streams: soakStreams,
  attack: soakAttack,
};

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string', default: '10' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 2 && minutes <= 24 * 60)) {
    throw new SetupError(
      `Expected a number of minutes from 2 to 1440 for --minutes but received ${values.minutes}.`,
      'npm run soak -- --minutes 10',
    );
  }
  const chosen = positionals.length > 0 ? positionals : ['streams'];
  const unknown = chosen.find((name) => !(name in areas));
  if (unknown) {
    throw new SetupError(
      `Expected one of ${Object.keys(areas).join(', ')} for the area but received ${unknown}.`,
      'npm run soak -- attack',
    );
  }
  let holds = true;
  for (const name of chosen) holds = (await areas[name]({ minutes })) && holds;
  return holds ? 0 : 1;
});
