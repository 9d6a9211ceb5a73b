import { parseArgs } from 'node:util';
import { ensureSystemPackages } from './setup/apt.mjs';
import { runMain, SetupError } from './setup/report.mjs';
import { fuzzAll, fuzzReaders } from './test/fuzz.mjs';

/** Values that the readers in TypeScript are given, all together. */
const casesOfReaders = 1_000_000;

await runMain(async () => {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
  if (!/^[1-9]\d*$/.test(values.seconds)) {
    throw new SetupError(
      `Expected a whole number above 0 for --seconds but received ${values.seconds}.`,
      'npm run fuzz -- --seconds 60',
    );
  }
  await ensureSystemPackages(['build', 'test']);
  const { failed } = await fuzzAll(Number(values.seconds));
  const readersStatus = await fuzzReaders(casesOfReaders);
  return failed === 0 && readersStatus === 0 ? 0 : 1;
});
