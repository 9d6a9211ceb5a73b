import type { BrowserWindow } from 'electron';
import { afterEach, expect, test, vi } from 'vitest';
import type { EngineActivity } from '../protocol/shell';
import { CloseGuard } from './close-guard';

const { quit, showMessageBox } = vi.hoisted(() => ({ quit: vi.fn(), showMessageBox: vi.fn() }));
vi.mock('electron', () => ({ app: { quit, on: () => undefined }, dialog: { showMessageBox } }));
afterEach(() => vi.resetAllMocks());

/** A console whose closing is watched; `close` gives whether it was held. */
function watched(activity: EngineActivity, response: number) {
  const listeners: ((event: { preventDefault(): void }) => void)[] = [];
  showMessageBox.mockResolvedValue({ response });
  const guard = new CloseGuard(async () => activity);
  const console = { on: (_: string, listener: (typeof listeners)[number]) => listeners.push(listener) };
  guard.watch(console as unknown as BrowserWindow);
  const close = async (): Promise<boolean> => {
    const preventDefault = vi.fn();
    for (const listener of listeners) listener({ preventDefault });
    await vi.waitFor(() =>
      expect(quit.mock.calls.length + showMessageBox.mock.calls.length).toBeGreaterThan(0),
    );
    return preventDefault.mock.calls.length > 0;
  };
  return { guard, close };
}

test.each([
  [{ mode: 'live', streams: 1 }, '1 stream is live. Stop and close Whiteline?'],
  [{ mode: 'live', streams: 3 }, '3 streams are live. Stop and close Whiteline?'],
  [{ mode: 'experiment', streams: 2 }, 'A run is going on. Stop it and close Whiteline?'],
  [{ mode: 'silent' }, 'The engine does not answer. Close Whiteline all the same?'],
] as [EngineActivity, string][])('%j is asked about: no keeps it, yes quits', async (activity, message) => {
  const kept = watched(activity, 0);
  expect(await kept.close()).toBe(true);
  expect(showMessageBox.mock.calls.map(([, question]) => question.message)).toEqual([message]);
  expect(quit).not.toHaveBeenCalled();

  const { guard, close } = watched(activity, 1);
  expect(await close()).toBe(true);
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  expect(await close(), 'what it settled is not held again').toBe(false);
  guard.quitAtOnce();
  expect(showMessageBox).toHaveBeenCalledTimes(2);
});

test('nothing is asked where nothing runs, and for a signal', async () => {
  const idle = watched({ mode: 'idle', streams: 0 }, 0);
  await idle.close();
  await vi.waitFor(() => expect(quit).toHaveBeenCalledOnce());
  const live = watched({ mode: 'live', streams: 1 }, 0);
  live.guard.quitAtOnce();
  expect(quit).toHaveBeenCalledTimes(2);
  expect(showMessageBox).not.toHaveBeenCalled();
});
