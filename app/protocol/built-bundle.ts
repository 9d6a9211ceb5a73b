import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Beside a bundle of our own, or below a checkout. */
const folders = ['', join('dist', 'app')];

/** The path of a bundle of scripts/build.mjs, such as `nmos-programs.cjs`; null: it was not built. */
export function findBundle(file: string): string | null {
  return bundleAbove(file, typeof __dirname === 'string' ? __dirname : process.cwd());
}

function bundleAbove(file: string, folder: string): string | null {
  const found = folders.map((below) => join(folder, below, file)).find((path) => existsSync(path));
  const parent = dirname(folder);
  return found ?? (parent === folder ? null : bundleAbove(file, parent));
}
