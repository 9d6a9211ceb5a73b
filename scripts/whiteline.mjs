import path from 'node:path';
import { exitStatusOf } from './exit-status.mjs';
import { setUp } from './setup/index.mjs';
import { rootFolder } from './setup/platform.mjs';
import { runMain } from './setup/report.mjs';
import { v8OptionsOf } from './v8-options.mjs';

// The `whiteline` command from a checkout: sets up what is missing, then runs the bundle.
await runMain(async () => {
  await setUp([]);
  const bundle = path.join(rootFolder, 'dist/app/cli.cjs');
  const words = process.argv.slice(2);
  return exitStatusOf(process.execPath, [...v8OptionsOf(words[0]), bundle, ...words], words[0]);
});
