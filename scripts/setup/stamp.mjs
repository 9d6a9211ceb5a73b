import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

/** Whether the work named so was last done for exactly this hash. */
export function isStamped(name, hash) {
  const file = path.join(stampFolder, name);
  return statSync(file, { throwIfNoEntry: false }) !== undefined && readFileSync(file, 'utf8') === hash;
}

export function writeStamp(name, hash) {
  mkdirSync(stampFolder, { recursive: true });
  writeFileSync(path.join(stampFolder, name), hash);
}

export function sha256OfFile(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
