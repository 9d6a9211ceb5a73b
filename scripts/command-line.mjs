import path from 'node:path';
import { exitStatusOf } from './exit-status.mjs';
import { setUp } from './setup/index.mjs';
import { rootFolder } from './setup/platform.mjs';
import { v8OptionsOf } from './v8-options.mjs';

/** The `whiteline` command from a checkout: sets up what is missing, then runs the bundle. Resolves to its exit status. */
export async function commandLine(words) {
  await setUp([]);
  const bundle = path.join(rootFolder, 'dist/app/cli.cjs');
  return exitStatusOf(process.execPath, [...v8OptionsOf(words[0]), bundle, ...words], words[0]);
}
