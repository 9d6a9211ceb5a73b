import path from 'node:path';
import { mustRun } from './command.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { hashOf, unlessDone } from './stamp.mjs';

const inputs = [
  ...['app', 'renderer', 'native/addon', 'scripts/build.mjs', 'package.json', 'package-lock.json'],
  ...['scripts/package/licences.mjs', 'LICENSE', 'NOTICE'],
];
const lastOutput = path.join(rootFolder, 'dist/report/index.html');

/** Bundles the app, the window and the report page when their sources have changed. */
export async function ensureAppBuilt() {
  await unlessDone({ name: 'app', hash: hashOf(inputs), output: lastOutput }, () =>
    step('app', 'building the app', (onProgress) =>
      mustRun(process.execPath, [path.join(rootFolder, 'scripts/build.mjs')], {
        failure: 'the app could not be built',
        onLine: onProgress,
      }),
    ),
  );
}
