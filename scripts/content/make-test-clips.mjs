// Makes the small clips of test-content/clips and their list, clips.json:
//
//   node scripts/content/make-test-clips.mjs [--hashes FILE]
//
// FILE: hashes of the decoded frames, as the core's tests write them (test-content/clips/README.md says how).
// Without it the list keeps the hashes of the clips whose bytes are as before; the others have none, and their
// tests fail.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeClip } from './clip-file.mjs';
import { clipList } from './clip-list.mjs';
import { readClipList, withHashes, writeClipList } from './clip-list-file.mjs';

const folder = fileURLToPath(new URL('../../test-content/clips', import.meta.url));
const listFile = path.join(folder, 'clips.json');
const mostBytesTogether = 2_000_000;

const { values: options } = parseArgs({ options: { hashes: { type: 'string' } } });
const newHashes = options.hashes ? JSON.parse(readFileSync(options.hashes, 'utf8')) : null;
mkdirSync(folder, { recursive: true });
const entriesBefore = new Map(readClipList(listFile).map((entry) => [entry.file, entry]));
const scratchFolder = mkdtempSync(path.join(tmpdir(), 'whiteline-clips-'));
try {
  // The clips and their list change together, and only when all clips turned out well.
  const entries = clipList().map(entryOf);
  checkSum(entries);
  removeOtherClips(entries);
  for (const { file } of entries) copyFileSync(path.join(scratchFolder, file), path.join(folder, file));
  writeClipList(listFile, entries);
} finally {
  rmSync(scratchFolder, { recursive: true });
}

function entryOf(clip) {
  const name = `${clip.name}.mov`;
  const file = path.join(scratchFolder, name);
  const entry = { file: name, ...makeClip(clip, file) };
  const before = path.join(folder, name);
  const isUnchanged = existsSync(before) && readFileSync(before).equals(readFileSync(file));
  const hashes = newHashes?.[name] ?? (isUnchanged ? hashesIn(entriesBefore.get(name)) : null);
  if (!isUnchanged) process.stdout.write(`${name}: new bytes${hashes ? '' : ', no hashes yet'}\n`);
  return hashes ? withHashes(entry, hashes) : entry;
}

function hashesIn(entry) {
  return entry?.uyvy ? { uyvy: entry.uyvy, bgra: entry.bgra } : null;
}

function removeOtherClips(entries) {
  const kept = new Set(entries.map(({ file }) => file));
  const others = readdirSync(folder).filter((name) => name.endsWith('.mov') && !kept.has(name));
  for (const name of others) rmSync(path.join(folder, name));
}

function checkSum(entries) {
  const sizes = entries.map(({ file }) => readFileSync(path.join(scratchFolder, file)).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  process.stdout.write(`${entries.length} clips, ${bytes} bytes\n`);
  if (bytes > mostBytesTogether) {
    throw new Error(
      `Expected at most ${mostBytesTogether} bytes for the clips together but received ${bytes}`,
    );
  }
}
