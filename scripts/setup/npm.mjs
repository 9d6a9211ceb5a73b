import { existsSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from './command.mjs';
import { rootFolder } from './platform.mjs';
import { step } from './report.mjs';
import { hashOf, isStamped, writeStamp } from './stamp.mjs';

const stampName = 'npm';

/** Installs the dependencies exactly as locked, when they are missing or the lock has changed since. */
export async function ensureNpmDependencies() {
  const hash = hashOf(['package-lock.json']);
  const installedMark = path.join(rootFolder, 'node_modules/.package-lock.json');
  if (existsSync(installedMark) && isStamped(stampName, hash)) return;
  await step('npm', 'installing the npm dependencies', async (onProgress) => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await mustRun(npm, ['ci', '--no-progress', '--loglevel', 'error'], {
      failure: 'the npm dependencies could not be installed',
      remedy: 'check the network, then: npm ci',
      shell: process.platform === 'win32',
      onLine: onProgress,
    });
  });
  writeStamp(stampName, hash);
}
