import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { partOfThread } from '../../../app/engine/load/parts';
import {
  addon,
  ndiFolder,
  receive,
  smallFormat,
  uniqueName,
  waitFor,
  waitForPictures,
} from './addon_fixture';

const clip = `${process.cwd()}/test-content/bars-640x360-30-hap.mov`;
const open: { close(): void }[] = [];

function kept<Handle extends { close(): void }>(handle: Handle): Handle {
  open.unshift(handle);
  return handle;
}

afterEach(() => {
  for (const handle of open.splice(0)) handle.close();
});

function threadNames(): Map<string, string> {
  const folder = '/proc/self/task';
  return new Map(
    readdirSync(folder).map((id) => [id, readFileSync(`${folder}/${id}/comm`, 'latin1').trim()]),
  );
}

test.skipIf(process.platform !== 'linux')('every thread at work is distinguished', async () => {
  // The runtime's own pool starts with its first work.
  await stat(clip);
  const before = threadNames();
  addon.loadNdi([ndiFolder]);
  const finder = kept(new addon.Finder({ extraAddresses: ['127.0.0.1'] }));
  const hap = { path: clip, startFrame: 0, preload: false, reads: 'cached' } as const;
  const source = kept(new addon.Source({ kind: 'hap', ...smallFormat, hap }));
  await waitFor('the source', () => (source.status().state === 'running' ? true : undefined));
  const sender = kept(
    new addon.Sender({ source, name: uniqueName(), senderId: 1, audio: true, answerTime: true }),
  );
  await waitForPictures(kept(await receive(finder, sender)), 10);
  const added = [...threadNames()].filter(([id]) => !before.has(id)).map(([, name]) => name);
  const parts = added.map(partOfThread);
  expect([...new Set(parts)].sort(), added.join(' ')).toEqual([
    'compose',
    'decode',
    'look',
    'read',
    'receive',
    'sdk',
    'send',
  ]);
});
