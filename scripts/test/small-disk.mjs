import { mkdirSync, rmSync } from 'node:fs';
import { succeeds } from '../setup/command.mjs';
import { isRoot } from '../setup/platform.mjs';
import { note } from '../setup/report.mjs';

const size = '2m';

/**
 * Runs the action with the path of a disk that a test can fill, in memory; with null if none can be mounted: that
 * takes root, and a container may forbid it.
 */
export async function withSmallDisk(folder, { uid, gid }, action) {
  mkdirSync(folder, { recursive: true });
  unmount(folder);
  const owner = uid === undefined ? '' : `,uid=${uid},gid=${gid}`;
  if (!isRoot || !succeeds('mount', ['-t', 'tmpfs', '-o', `size=${size}${owner}`, 'whiteline', folder])) {
    note('e2e', 'a full disk is not tested: a small one cannot be mounted here');
    return action(null);
  }
  try {
    return await action(folder);
  } finally {
    unmount(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Also removes what a killed run has left mounted. Lazily: a process that is slow to end may still use it. */
function unmount(folder) {
  while (isRoot && succeeds('umount', ['--lazy', folder]));
}
