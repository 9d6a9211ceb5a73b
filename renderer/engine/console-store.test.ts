import { expect, test } from 'vitest';
import type { Alert, EngineState } from '../../app/protocol/console';
import { forOperator } from '../../app/protocol/errors';
import { stateOf } from '../testing/engine-state';
import { rowOf, streamView } from '../testing/fixtures';
import {
  allAlerts,
  type ConsoleView,
  emptyView,
  readinessOf,
  withAlert,
  withLife,
  withNews,
  withoutAlert,
  withPlayed,
} from './console-store';

const diskAlert: Alert = {
  key: 'disk',
  severity: 'warning',
  code: 'DISK_FULL',
  message: 'The disk is nearly full',
  sinceMs: 1000,
};

function runOf(experiment: string): EngineState['run'] {
  return { id: '1', experiment, folder: '/runs/1', title: '', verdict: null, reason: '' };
}

function running(state: Partial<EngineState> = {}): ConsoleView {
  return withNews(emptyView, {
    type: 'state',
    state: stateOf({ streams: [streamView(1), streamView(2)], state: { mode: 'live', ...state } }),
  });
}

test('shows what the engine says, rows and state apart', () => {
  const view = withNews(running(), { type: 'rows', from: 0, rows: [rowOf(0), rowOf(1)], provisional: 1 });
  expect(view.engine?.streams.map(({ id }) => id)).toEqual([1, 2]);
  expect(view.rows).toHaveLength(2);
  expect(view.provisional).toBe(1);
});

test('the streams of a live run that was stopped stay as they were, until something else starts', () => {
  const said = (view: ConsoleView, state: Partial<EngineState>) =>
    withNews(view, { type: 'state', state: stateOf({ state }) });
  const last = { ...streamView(2), framesReceived: 500 };
  const stopping = said(running(), { mode: 'stopping', streams: [last] });
  const run = runOf('live');
  const stopped = said(said(stopping, { mode: 'stopping', streams: [] }), { mode: 'idle', run });
  expect(stopped.ended).toEqual([streamView(1), last]);
  expect(said(stopped, { mode: 'idle', run }).ended).toHaveLength(2);
  for (const mode of ['live', 'experiment'] as const) expect(said(stopped, { mode }).ended).toEqual([]);
  // What became of the engine is said in their place.
  expect(withLife(stopped, { state: 'crashed', exitCode: 139 }).ended).toEqual([]);
});

test('the streams of a ramp that is stopped stay as they were until it has ended, and then what it found takes their place', () => {
  const run = runOf('stream-load');
  const said = (view: ConsoleView, state: Partial<EngineState>) =>
    withNews(view, { type: 'state', state: stateOf({ state: { run, ...state } }) });
  const stopping = said(running({ mode: 'experiment', run }), { mode: 'stopping' });
  expect(stopping.ended).toEqual([streamView(1), streamView(2)]);
  expect(said(stopping, { mode: 'stopping' }).ended).toHaveLength(2);
  expect(said(stopping, { mode: 'idle' }).ended).toEqual([]);
});

test('samples and marks leave the view as it is', () => {
  const view = running();
  expect(withNews(view, { type: 'samples', samples: [], losses: [] })).toBe(view);
  expect(withNews(view, { type: 'marks', marks: [] })).toBe(view);
});

test('what is particular about how a source is played stays known while others are checked', () => {
  const checkedAs = (view: ConsoleView, source: string, remarks: string[]) =>
    withPlayed(view, { source, remarks, movie: null });
  const before = checkedAs(emptyView, '/films/turned.mp4', ['mirrored']);
  const { played } = checkedAs(before, '/films/plain.mp4', []);
  expect([...played].map(([path, { remarks }]) => [path, remarks])).toEqual([
    ['/films/turned.mp4', ['mirrored']],
    ['/films/plain.mp4', []],
  ]);
  expect(checkedAs(before, '/films/turned.mp4', []).played.get('/films/turned.mp4')?.remarks).toEqual([]);
});

test('a crash ends the streams and keeps the rows and the run', () => {
  const run = { id: '1', folder: '/runs/1', title: 'run', experiment: 'live', verdict: null, reason: '' };
  const measured = withNews(running({ run }), {
    type: 'rows',
    from: 0,
    rows: [rowOf(0), rowOf(1)],
    provisional: 1,
  });
  const view = withLife(measured, { state: 'crashed', exitCode: 139 });
  expect(view.engine?.streams).toEqual([]);
  expect(view.engine?.mode).toBe('idle');
  expect(view.engine?.run).toEqual(run);
  expect(view.rows).toHaveLength(2);
  expect(view.provisional).toBeNull();
  expect(readinessOf(view)).toBe('crashed');
});

test('an engine that was restarted is ready with its first state', () => {
  const crashed = withLife(running(), { state: 'crashed', exitCode: 1 });
  const starting = withLife(crashed, { state: 'starting' });
  expect(readinessOf(starting)).toBe('starting');
  expect(readinessOf(withNews(starting, { type: 'state', state: stateOf({}) }))).toBe('ready');
});

test('distinguishes loading NDI from missing NDI', () => {
  expect(readinessOf(running({ transport: null, transportLoading: true }))).toBe('ndi-loading');
  expect(readinessOf(running({ transport: null, transportLoading: false }))).toBe('ndi-missing');
});

test('an alert of the same key takes the place of the old one and stays until dismissed', () => {
  const notice = { key: 'export', severity: 'info' as const, message: 'Written to a' };
  const once = withAlert(withAlert(running(), notice), { ...notice, message: 'Written to b' });
  expect(allAlerts(once).map(({ message }) => message)).toEqual(['Written to b']);
  expect(allAlerts(withoutAlert(once, 'export'))).toEqual([]);
});

test('what the engine alerts already is not said twice', () => {
  const view = withAlert(running({ alerts: [diskAlert] }), { ...diskAlert, key: 'command:addStream' });
  expect(allAlerts(view)).toEqual([diskAlert]);
});

test('an alert of the window says since when, and keeps what a program said for its details', () => {
  const failed = { key: 'command:stop', severity: 'error', code: 'INTERNAL', message: 'x is null' } as const;
  const view = withAlert(running(), failed, 5000);
  expect(allAlerts(view)).toMatchObject([
    { sinceMs: 5000, message: 'Whiteline itself failed', details: 'x is null' },
  ]);
  // Two faults have one sentence: each is shown.
  const engineAlert: Alert = {
    ...diskAlert,
    ...forOperator({ ...failed, message: 'y is null' }),
    key: 'run',
  };
  const both = withAlert(running({ alerts: [engineAlert] }), failed, 5000);
  expect(allAlerts(both).map(({ details }) => details)).toEqual(['y is null', 'x is null']);
});

test('rows that were reported before stay, and those of another run take their place', () => {
  const first = withNews(running(), {
    type: 'rows',
    from: 0,
    rows: [rowOf(0), rowOf(1)],
    provisional: 1,
  });
  const closed = withNews(first, {
    type: 'rows',
    from: 1,
    rows: [rowOf(1), rowOf(2)],
    provisional: 2,
  });
  expect(closed.rows.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(closed.rows[0]).toBe(first.rows[0]);
  const other = withNews(closed, { type: 'rows', from: 0, rows: [rowOf(0)], provisional: null });
  expect(other.rows).toHaveLength(1);
});

test('a refusal ends with what it was refused for', () => {
  const busy = { key: 'command:makeClip', severity: 'error', message: 'Stop first' } as const;
  const view = withAlert(running(), { ...busy, code: 'BAD_INPUT' });
  expect(
    allAlerts(withNews(view, { type: 'state', state: stateOf({ state: { mode: 'live' } }) })),
  ).toHaveLength(1);
  const idle = stateOf({ state: { mode: 'idle' } });
  expect(allAlerts(withNews(view, { type: 'state', state: idle }))).toEqual([]);
  const followed = withAlert(running(), { ...busy, key: 'command:followSource', code: 'NAME_IN_USE' });
  expect(allAlerts(withNews(followed, { type: 'state', state: idle }))).toEqual([]);
  const failure = withAlert(running(), { ...busy, code: 'DISK_FULL' });
  expect(allAlerts(withNews(failure, { type: 'state', state: idle }))).toHaveLength(1);
});

test('a crash leaves nothing of the source that played', () => {
  const source = { text: 'a.mov', width: 640, height: 360, framesPerSecond: 30 };
  const view = running({
    source: { ...source, diskRateMBps: 31, neededDiskRateMBps: 30, reads: 'cached', damagedPictures: 0 },
  });
  expect(withLife(view, { state: 'crashed', exitCode: 139 }).engine?.source).toBeNull();
});
