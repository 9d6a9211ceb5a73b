import path from 'node:path';
import { appSourcesHash } from './app-sources.mjs';
import { mustRun } from './command.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { unlessDone } from './stamp.mjs';

const outputs = ['app', 'renderer', 'report', 'licences', 'sources'].map((name) => `dist/${name}`);

/** Bundles the app, the window and the report page when their sources have changed. */
export async function ensureAppBuilt() {
  await unlessDone({ name: 'app', hash: appSourcesHash(), outputs }, () =>
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
