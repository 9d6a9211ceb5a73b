import { mustRun } from './command.mjs';
import { step } from './report.mjs';
import { hashOf, unlessDone } from './stamp.mjs';

const outputs = ['node_modules'];
// What tools keep there for themselves, and the Electron that its package downloads (electron.mjs).
const othersPattern = /^node_modules\/(\.(?!package-lock\.json$|bin$)[^/]*|electron\/(dist|path\.txt))$/;

/** Whether npm's installing made it. */
export const isOutput = (name) => !othersPattern.test(name);

/** Installs the dependencies exactly as locked, when the lock has changed or a part of them is missing. */
export async function ensureNpmDependencies() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const hash = hashOf(['package-lock.json']);
  await unlessDone({ name: 'npm', hash, outputs, isOutput }, () =>
    step('npm', 'installing the npm dependencies', (onProgress) =>
      mustRun(npm, ['ci', '--no-progress', '--loglevel', 'error'], {
        failure: 'the npm dependencies could not be installed',
        remedy:
          'where the lines above name the lock file: `git checkout package.json package-lock.json`; where they name a package or a registry: `npm config get registry` says which one is asked; where they name integrity: `npm cache clean --force`',
        shell: process.platform === 'win32',
        onLine: onProgress,
      }),
    ),
  );
}
