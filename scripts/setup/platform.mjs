import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetupError } from './report.mjs';

/** The checkout's own folder: every other path is made from it. */
export const rootFolder = path.resolve(fileURLToPath(import.meta.url), '../../..');
export const runtimeFolder = path.join(rootFolder, '.runtime');

export const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
export const isRoot = process.getuid?.() === 0;
export const hasApt = existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-query');

const oldestNode = [20, 19];

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (!isNewEnough) {
    throw new SetupError(
      `Node ${oldestNode.join('.')} or newer is needed, this is ${process.versions.node}.`,
      'install a current Node from https://nodejs.org',
    );
  }
}
