import path from 'node:path';
import { buildNative } from './native-build.mjs';
import { buildPackages, buildWindowsZip } from './package/build.mjs';
import { packTestkit } from './package/testkit.mjs';
import { setUp } from './setup/index.mjs';
import { rootFolder } from './setup/platform.mjs';
import { note, runMain, step } from './setup/report.mjs';
import { ensureWindowsParts } from './setup/windows.mjs';

// `npm run package`: this system's packages, or those named: `npm run package -- deb`; `npm run package -- testkit`: that for npm;
// `npm run package -- windows`: a ZIP for Windows, made on Linux.
await runMain(async () => {
  const targets = process.argv.slice(2);
  if (targets.join() === 'testkit') {
    await setUp(['console']);
    note('package', await packTestkit(path.join(rootFolder, 'dist/packages')));
    return;
  }
  if (targets.join() === 'windows') {
    await setUp(['console']);
    await ensureWindowsParts();
    await step('native', 'building for Windows', (onProgress) => buildNative('windows', onProgress));
    note('package', await buildWindowsZip());
    return;
  }
  const environment = await setUp(['console', 'package']);
  for (const file of await buildPackages(environment, { targets })) note('package', file);
});
