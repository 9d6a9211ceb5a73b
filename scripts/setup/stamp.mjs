import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootFolder, runtimeFolder } from './platform.mjs';

const stampFolder = path.join(runtimeFolder, 'stamps');

/** One hash over the contents of files and folders (whole trees), given relative to the checkout. */
export function hashOf(relativePaths, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const relativePath of relativePaths) addToHash(hash, relativePath);
  return hash.digest('hex');
}

function addToHash(hash, relativePath) {
  const absolutePath = path.join(rootFolder, relativePath);
  const status = statSync(absolutePath, { throwIfNoEntry: false });
  if (status?.isDirectory()) {
    for (const name of readdirSync(absolutePath).sort()) addToHash(hash, path.join(relativePath, name));
    return;
  }
  hash.update(`\0${relativePath}\0`);
  if (status) hash.update(readFileSync(absolutePath));
}

/**
 * Does the work, unless it was last done to its end for exactly this hash and its output is still there. Work that is cut
 * short is done again.
 */
export async function unlessDone({ name, hash, output }, work) {
  const stamp = path.join(stampFolder, name);
  const isStamped = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isStamped && existsSync(output)) return;
  rmSync(stamp, { force: true });
  await work();
  mkdirSync(stampFolder, { recursive: true });
  writeFileSync(stamp, hash);
}

export function sha256OfFile(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
