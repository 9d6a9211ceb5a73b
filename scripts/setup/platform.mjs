import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's own folder: every other path is made from it. */
export const rootFolder = path.resolve(fileURLToPath(import.meta.url), '../../..');
export const runtimeFolder = path.join(rootFolder, '.runtime');

export const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64';
export const isRoot = process.getuid?.() === 0;
export const hasApt = existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-query');
