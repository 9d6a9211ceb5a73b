import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ArchivedRun, ArchiveLife, DeletedRun } from '../../app/protocol/archive';
import { stubWindow } from '../../app/testing/window';
import { archivedRun } from '../testing/archived-run';
import { texts } from '../texts';

let live: (life: ArchiveLife) => void;
let archive: typeof import('./archive');
let actions: typeof import('./session-actions');
let useSessions: typeof import('./sessions-store')['useSessions'];
let alerts: () => (string | undefined)[];

beforeEach(async () => {
  stubWindow({
    onArchiveLife: (listener) => {
      live = listener;
    },
    requestArchivePort: () => undefined,
  });
  archive = await import('./archive');
  actions = await import('./session-actions');
  useSessions = (await import('./sessions-store')).useSessions;
  const { allAlerts, useConsole } = await import('../engine/console-store');
  alerts = () => allAlerts(useConsole.getState()).map(({ message }) => message);
});

/** The archive does what it is asked for. */
function answerWith(result: unknown): void {
  const answer = { result, problem: null } as Awaited<ReturnType<typeof archive.archive.ask>>;
  vi.spyOn(archive.archive, 'ask').mockResolvedValue(answer);
}

test('an archive that crashed is said, and that it is back only after that', () => {
  const { archiveBack, archiveCrashed } = texts.sessions;
  archive.connectArchive();
  live({ state: 'running' });
  expect([useSessions.getState().isGone, alerts()]).toEqual([false, []]);
  live({ state: 'crashed', exitCode: 9 });
  expect([useSessions.getState().isGone, alerts()]).toEqual([true, [archiveCrashed(9)]]);
  live({ state: 'running' });
  expect([useSessions.getState().isGone, alerts()]).toEqual([false, [archiveBack]]);
});

test('one run of an experiment is its baseline until it is unpinned', async () => {
  answerWith(null);
  const pinned = () => useSessions.getState().baselines;
  await actions.togglePin(archivedRun('a'));
  await actions.togglePin(archivedRun('b', { experiment: 'link' }));
  expect(pinned()).toEqual({ 'stream-load': 'a', link: 'b' });
  await actions.togglePin(archivedRun('c'));
  expect(pinned()).toEqual({ 'stream-load': 'c', link: 'b' });
  await actions.togglePin(archivedRun('c', { isBaseline: true }));
  expect(pinned()).toEqual({ link: 'b' });
});

test('a run that is brought back is no longer said to be deleted, is where the keys are, and may be a baseline', async () => {
  const { startedAt } = archivedRun('a');
  const deletedOf = (deletion: string): DeletedRun => ({
    ...{ deletion, folder: 'a', title: 'A', experiment: 'stream-load' },
    ...{ startedAt, deletedAt: startedAt, wasBaseline: true },
  });
  const [one, other] = [deletedOf('1'), deletedOf('2')];
  useSessions.setState({ deleted: [one, other] });
  answerWith(archivedRun('a', { isBaseline: true }) satisfies ArchivedRun);
  await actions.restoreRun(one);
  expect(useSessions.getState()).toMatchObject({
    ...{ deleted: [other], current: 'a', baselines: { 'stream-load': 'a' } },
  });
  answerWith(null);
  await actions.eraseRun(other);
  expect(useSessions.getState().deleted).toEqual([]);
});

test('a deleted run is erased after its days, or never', async () => {
  const { erasedAt } = await import('./keep-days');
  expect(erasedAt('2026-11-21T20:00:00.000Z', 30)).toBe('2026-12-21T20:00:00.000Z');
  expect(erasedAt('2026-11-21T20:00:00.000Z', null)).toBeNull();
});

test('marked runs have letters as far as they can be compared, and a sign beyond', async () => {
  const { letterOf } = await import('./history-table');
  const marked = Array.from({ length: 7 }, (_, folder) => archivedRun(String(folder)));
  expect(marked.map((run) => letterOf(marked, run))).toEqual([...'ABCDEF', texts.sessions.markedSign]);
  expect(letterOf(marked, archivedRun('7'))).toBeNull();
});

test.each([
  [0, 100, []],
  [0, 101, ['1', '100', 'older']],
  [100, 101, ['101', '101', 'newer']],
  [100, 200, ['101', '200', 'newer']],
  [100, 201, ['101', '200', 'newer', 'older']],
])('from %i of %i runs on, the pages around can be turned to', async (offset, total, shown) => {
  const { Pager } = await import('./pager');
  const words = { before: 'newer', after: 'older', onTurn: () => undefined };
  const markup = renderToStaticMarkup(<Pager {...{ offset, total, pageSize: 100 }} {...words} />);
  const page = /<span>(\d+)\D+(\d+)/.exec(markup)?.slice(1) ?? [];
  const enabled = [...markup.matchAll(/<button(?![^>]* disabled)[^>]*>([^<]*)/g)].map(([, name]) => name);
  expect([...page, ...enabled]).toEqual(shown);
});
