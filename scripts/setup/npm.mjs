import path from 'node:path';
import { mustRun } from './command.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { hashOf, unlessDone } from './stamp.mjs';

const installedMark = path.join(rootFolder, 'node_modules/.package-lock.json');

/** Installs the dependencies exactly as locked, when they are missing or the lock has changed since. */
export async function ensureNpmDependencies() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await unlessDone({ name: 'npm', hash: hashOf(['package-lock.json']), output: installedMark }, () =>
    step('npm', 'installing the npm dependencies', (onProgress) =>
      mustRun(npm, ['ci', '--no-progress', '--loglevel', 'error'], {
        failure: 'the npm dependencies could not be installed',
        remedy: 'check the network, then: npm ci',
        shell: process.platform === 'win32',
        onLine: onProgress,
      }),
    ),
  );
}
