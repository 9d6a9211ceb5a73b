import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hashOf, unlessDone } from './stamp.mjs';

let scratch;
let checkout;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'whiteline-stamp-'));
  checkout = path.join(scratch, 'checkout');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const outputs = ['built'];
const stampFile = () => path.join(checkout, '.runtime/stamps/addon');
const built = (name) => path.join(checkout, 'built', name);

/** Builds in the checkout where that is needed; what the work was told, null where there was none to do. */
async function ensure({ hash = 'sources', isOutput } = {}) {
  let told = null;
  await unlessDone({ name: 'addon', hash, outputs, isOutput, folder: checkout }, async (found) => {
    told = found;
    mkdirSync(built('cache'), { recursive: true });
    writeFileSync(built('addon.node'), 'an addon');
    writeFileSync(built('helper'), 'a helper', { mode: 0o755 });
  });
  return told;
}

test('what was done is not done again, however the checkout was moved or copied (P6)', async () => {
  expect(await ensure()).toEqual({ isSpoilt: false });
  expect(await ensure()).toBeNull();

  const moved = path.join(scratch, 'checkout (moved)');
  renameSync(checkout, moved);
  checkout = moved;
  expect(await ensure()).toBeNull();

  // Without the times of the files.
  checkout = path.join(scratch, 'copy');
  cpSync(moved, checkout, { recursive: true });
  expect(await ensure()).toBeNull();
  expect(readFileSync(stampFile(), 'utf8')).not.toContain(scratch);
});

test('other sources are other work', async () => {
  await ensure();
  expect(await ensure({ hash: 'changed sources' })).toEqual({ isSpoilt: false });
  expect(await ensure({ hash: 'changed sources' })).toBeNull();
  rmSync(built('helper'));
  expect(await ensure({ hash: 'more changes' })).toEqual({ isSpoilt: true });
});

test.each([
  ['the main output is missing', () => rmSync(built('addon.node'))],
  ['another output is missing', () => rmSync(built('helper'))],
  ['a file was copied in part', () => truncateSync(built('addon.node'), 3)],
  ['a copy lost that a file can be run', () => chmodSync(built('helper'), 0o644)],
  ['a file has come', () => writeFileSync(built('other'), '')],
])('where %s, the work is done again', async (_, spoil) => {
  await ensure();
  spoil();
  expect(await ensure()).toEqual({ isSpoilt: true });
  expect(await ensure()).toBeNull();
});

test.each([
  ['another system', (text) => text.replace(`${process.platform}-${process.arch}`, 'elsewhere-m68k')],
  ['an older set-up', () => 'sources'],
  ['a copy that was cut short', (text) => text.slice(0, -10)],
  ['nothing', () => ''],
])('a stamp of %s does not count', async (_, changed) => {
  await ensure();
  writeFileSync(stampFile(), changed(readFileSync(stampFile(), 'utf8')));
  expect(await ensure()).not.toBeNull();
  expect(await ensure()).toBeNull();
});

test('work that was cut short is done again', async () => {
  await ensure();
  const work = vi.fn().mockRejectedValueOnce(new Error('killed'));
  const task = { name: 'addon', hash: 'changed', outputs, folder: checkout };
  await expect(unlessDone(task, work)).rejects.toThrow('killed');
  await unlessDone(task, work);
  expect(work).toHaveBeenCalledTimes(2);
});

test('work for other sources that was cut short spoils what was there, though it looks the same', async () => {
  await ensure();
  const task = { name: 'addon', hash: 'changed', outputs, folder: checkout };
  const cutShort = async () => {
    writeFileSync(built('addon.node'), 'half one');
    throw new Error('killed');
  };
  await expect(unlessDone(task, cutShort)).rejects.toThrow('killed');
  expect(await ensure()).not.toBeNull();
});

test('what comes and goes by itself does not count', async () => {
  const isOutput = (name) => name !== 'built/cache';
  await ensure({ isOutput });
  writeFileSync(built('cache/of-a-tool'), '');
  expect(await ensure({ isOutput })).toBeNull();
});

test('a hash is of contents, wherever a folder lies', () => {
  const folder = (place, text, name = 'header.h') => {
    mkdirSync(path.join(scratch, place, 'include'), { recursive: true });
    writeFileSync(path.join(scratch, place, 'include', name), text);
    return path.join(scratch, place, 'include');
  };
  expect(hashOf([folder('here', 'a')])).toBe(hashOf([folder('there', 'a')]));
  expect(hashOf([folder('here', 'a')])).not.toBe(hashOf([folder('there', 'b')]));
  expect(hashOf([folder('here', 'a')])).not.toBe(hashOf([folder('elsewhere', 'a', 'other.h')]));
});
