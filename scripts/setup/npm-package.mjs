import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from './command.mjs';
import { SetupError } from './report.mjs';
import { sha256OfFile } from './stamp.mjs';

/**
 * Fetches one pinned package with npm, checks it against its hash, and leaves one file of it in the folder, which is made anew.
 * @param {{ name: string, version: string, sha256: string, file: string }} pinned file: by its path in the package
 */
export async function fetchFileOfPackage({ name, version, sha256, file }, folder, onProgress) {
  const scratchFolder = path.join(folder, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(scratchFolder, { recursive: true });
  const requirement = `${name}@${version}`;
  onProgress(`downloading ${requirement}`);
  await mustRun('npm', ['pack', requirement, '--pack-destination', scratchFolder, '--loglevel', 'error'], {
    failure: `npm could not download ${requirement}`,
    remedy:
      '`npm config get registry` says which registry is asked, and `npm view NAME` whether it has the package',
    onLine: onProgress,
  });
  const archive = path.join(
    scratchFolder,
    readdirSync(scratchFolder).find((one) => one.endsWith('.tgz')) ?? '',
  );
  if (sha256OfFile(archive) !== sha256) {
    throw new SetupError(
      `${path.basename(archive)} is not the file that was checked when it was chosen: its hash differs.`,
      'do not use it; report it to the project',
    );
  }
  const inside = `package/${file}`;
  await mustRun('tar', ['xzf', archive, '-C', scratchFolder, inside], {
    failure: `${archive} could not be unpacked`,
  });
  renameSync(path.join(scratchFolder, inside), path.join(folder, path.basename(file)));
  rmSync(scratchFolder, { recursive: true });
}
