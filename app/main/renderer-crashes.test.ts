import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, expect, test, vi } from 'vitest';
import { RendererCrashes } from './renderer-crashes';

const { showMessageBox } = vi.hoisted(() => ({ showMessageBox: vi.fn() }));
vi.mock('electron', () => ({ dialog: { showMessageBox } }));
afterEach(() => vi.resetAllMocks());

function watchedWindow(response: number) {
  showMessageBox.mockResolvedValue({ response });
  const contents = new EventEmitter();
  const load = vi.fn();
  let nowNs = 0;
  const crashes = new RendererCrashes({ monotonicNs: () => nowNs }, load);
  crashes.watch({ webContents: contents, isDestroyed: () => false } as unknown as BrowserWindow);
  const crashAt = async (seconds: number, reason = 'killed'): Promise<void> => {
    nowNs = seconds * 1e9;
    contents.emit('render-process-gone', {}, { reason });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { crashAt, load };
}

test('a page that crashed is loaded again, and says so', async () => {
  const { crashAt, load } = watchedWindow(0);
  for (const seconds of [0, 40, 80, 120]) await crashAt(seconds);
  expect(load.mock.calls.map(([, hash]) => hash)).toEqual(Array(4).fill('reloaded'));
  expect(showMessageBox).not.toHaveBeenCalled();
});

test('the third crash within a minute is asked about', async () => {
  const kept = watchedWindow(1);
  for (const seconds of [0, 20, 40]) await kept.crashAt(seconds);
  expect(kept.load).toHaveBeenCalledTimes(2);
  expect(showMessageBox.mock.calls.map(([, { message }]) => message)).toEqual([
    'The window crashed 3 times within a minute (killed). Load it again?',
  ]);

  const loaded = watchedWindow(0);
  for (const seconds of [0, 20, 40]) await loaded.crashAt(seconds);
  expect(loaded.load).toHaveBeenCalledTimes(3);
});

test('a page that ended by itself is left alone', async () => {
  const { crashAt, load } = watchedWindow(0);
  await crashAt(0, 'clean-exit');
  expect(load).not.toHaveBeenCalled();
});
