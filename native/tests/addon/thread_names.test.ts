import { stat } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { partOfThread } from '../../../app/engine/load/parts';
import { threadTexts } from '../../../app/testing/process-files';
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

test.skipIf(process.platform !== 'linux')('every thread at work is distinguished', async () => {
  // The runtime's own pool starts with its first work.
  await stat(clip);
  const before = threadTexts(process.pid, 'comm');
  addon.loadNdi([ndiFolder]);
  const finder = kept(new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] }));
  const hap = { path: clip, startFrame: 0, preload: false, reads: 'cached' } as const;
  const source = kept(new addon.Source({ kind: 'hap', ...smallFormat, hap }));
  await waitFor('the source', () => (source.status().state === 'running' ? true : undefined));
  const sender = kept(
    new addon.Sender({
      transport: 'ndi',
      source,
      name: uniqueName(),
      senderId: 1,
      audio: true,
      answerTime: true,
    }),
  );
  await waitForPictures(kept(await receive(finder, sender)), 10);
  const expected = ['compose', 'decode', 'look', 'read', 'receive', 'sdk', 'send'];
  // A thread has the name of the one that started it until it runs.
  await vi.waitFor(
    () => {
      const added = [...threadTexts(process.pid, 'comm')]
        .filter(([id]) => !before.has(id))
        .map(([, name]) => name);
      expect([...new Set(added.map(partOfThread))].sort(), added.join(' ')).toEqual(expected);
    },
    { timeout: 60_000 },
  );
});
