import { beforeEach, expect, test, vi } from 'vitest';
import { shell } from './connection';
import { allAlerts, emptyView, useConsole } from './console-store';
import { openWritten } from './written-file';

vi.mock('./connection', () => ({ isInBrowser: false, shell: { openFile: vi.fn() } }));

const written = { grant: 'a'.repeat(64), path: '/runs/report.html' };

beforeEach(() => useConsole.setState(emptyView, true));

test('a file that no program opens is named, with the way to its folder', async () => {
  vi.mocked(shell.openFile).mockRejectedValueOnce(new Error('could not be opened: The action failed'));
  await openWritten(written);
  expect(allAlerts(useConsole.getState())).toMatchObject([
    {
      severity: 'error',
      message: 'No program of this machine opened /runs/report.html',
      details: 'could not be opened: The action failed',
      written,
    },
  ]);
});

test('one that opens says nothing', async () => {
  await openWritten(written);
  expect(shell.openFile).toHaveBeenLastCalledWith(written.grant);
  expect(allAlerts(useConsole.getState())).toEqual([]);
});
