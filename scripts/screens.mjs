import path from 'node:path';
import { setUp } from './setup/index.mjs';
import { note, runMain } from './setup/report.mjs';
import { resultFolder } from './test/counts.mjs';
import { runPlaywright } from './test/playwright.mjs';

await runMain(async () => {
  const { electron } = await setUp(['console', 'test']);
  const { failed } = await runPlaywright('screens', electron.executable);
  note('screens', `the pictures are in ${path.join(resultFolder, 'e2e')}`);
  return failed > 0 ? 1 : 0;
});
