import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Below the folder of a packaged app’s resources, or of a checkout. */
const folders = ['native', join('native', 'build', 'Release')];

/** Path of an executable of ours; null: it was not built. */
export function findHelper(file: string): string | null {
  const found = foldersAbove(typeof __dirname === 'string' ? __dirname : process.cwd())
    .flatMap((folder) => folders.map((below) => join(folder, below, file)))
    .find((path) => existsSync(path));
  return found ?? null;
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}
