import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { rootFolder } from './platform.mjs';

/**
 * One hash over the contents of files and folders (whole trees). Paths are relative to the checkout, or absolute: where such
 * a file lies does not count.
 */
export function hashOf(paths, extra = '') {
  const hash = createHash('sha256').update(extra);
  for (const one of paths)
    addToHash(hash, path.resolve(rootFolder, one), path.isAbsolute(one) ? path.basename(one) : one);
  return hash.digest('hex');
}

function addToHash(hash, absolutePath, name) {
  const status = statSync(absolutePath, { throwIfNoEntry: false });
  if (status?.isDirectory()) {
    for (const inside of readdirSync(absolutePath).sort())
      addToHash(hash, path.join(absolutePath, inside), path.join(name, inside));
    return;
  }
  hash.update(`\0${name}\0`);
  if (status) hash.update(readFileSync(absolutePath));
}

/**
 * Does the work, unless it was last done to its end for exactly this hash, on a system of this kind, and what it left is there as
 * it was left: work that was cut short is done again, and so is work whose results were copied in part. Nothing depends on
 * where the checkout lies.
 * @param {{ name: string, hash: string, outputs: string[], isOutput?: (name: string) => boolean, folder?: string }} task
 *   outputs: files and folders relative to the checkout's folder; isOutput: false for what lies in these and comes and goes by
 *   itself
 * @param {(found: { isSpoilt: boolean }) => Promise<void>} work is told whether what it left once has changed since
 */
export async function unlessDone({ name, hash, outputs, isOutput = () => true, folder = rootFolder }, work) {
  const stampFile = path.join(folder, '.runtime/stamps', name);
  const from = `from ${process.platform}-${process.arch} ${hash}`;
  const to = () => `to ${listingHashOf(folder, outputs, isOutput)}`;
  const [knownFrom, knownTo] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split('\n') : [];
  const isSpoilt = knownTo !== undefined && knownTo !== to();
  if (knownFrom === from && knownTo !== undefined && !isSpoilt) return;
  rmSync(stampFile, { force: true });
  await work({ isSpoilt });
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, `${from}\n${to()}\n`);
}

/** Of names, sizes and modes: contents would take too long for thousands of files, and times are lost by copies. */
function listingHashOf(folder, outputs, isOutput) {
  const hash = createHash('sha256');
  const add = (name) => {
    if (!isOutput(name)) return;
    const file = path.join(folder, name);
    const status = lstatSync(file, { throwIfNoEntry: false });
    if (!status) return;
    if (status.isDirectory()) {
      for (const inside of readdirSync(file).sort()) add(path.posix.join(name, inside));
      return;
    }
    const content = status.isSymbolicLink() ? readlinkSync(file) : status.size;
    hash.update(`${name}\0${content}\0${status.mode & 0o100}\n`);
  };
  for (const name of outputs) add(name);
  return hash.digest('hex');
}

export function sha256OfFile(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
