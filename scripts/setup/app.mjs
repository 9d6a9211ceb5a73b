import path from 'node:path';
import { mustRun } from './command.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { hashOf, unlessDone } from './stamp.mjs';

const inputs = [
  ...['app', 'renderer', 'native/addon', 'scripts/build.mjs', 'package.json', 'package-lock.json'],
  ...['scripts/package/licences.mjs', 'native/third_party', 'LICENSE', 'NOTICE'],
  ...['tsconfig.json', 'tsconfig.base.json', 'tsconfig.app.json', 'tsconfig.renderer.json'],
];
const outputs = ['app', 'renderer', 'report', 'licences'].map((name) => `dist/${name}`);

/** Bundles the app, the window and the report page when their sources have changed. */
export async function ensureAppBuilt() {
  await unlessDone({ name: 'app', hash: hashOf(inputs), outputs }, () =>
    step('app', 'building the app', (onProgress) =>
      mustRun(process.execPath, [path.join(rootFolder, 'scripts/build.mjs')], {
        failure: 'the app could not be built',
        remedy:
          'correct the file that the bundler names; `git status` and `git diff` show what was changed in the checkout',
        onLine: onProgress,
      }),
    ),
  );
}
