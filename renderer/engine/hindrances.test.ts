import { expect, test, vi } from 'vitest';
import type { EngineState } from '../../app/protocol/console';
import { stateOf } from '../testing/engine-state';
import { rowOf, streamView } from '../testing/fixtures';
import { texts } from '../texts';
import { type ConsoleView, emptyView } from './console-store';
import { hindrancesOf, startHindrance } from './hindrances';

vi.mock('./connection', () => ({}));

const words = texts.hindrances;

function viewOf(state: Partial<EngineState>, change: Partial<ConsoleView> = {}): ConsoleView {
  return { ...emptyView, life: { state: 'running' }, engine: stateOf({ state }), ...change };
}

const run = { id: '1', folder: '/runs/1', title: 'run', experiment: 'live', verdict: null, reason: '' };

test('idle: streams and a ramp can be started, and nothing be stopped', () => {
  expect(hindrancesOf(viewOf({}), null)).toEqual({
    ...{ addStream: null, startRamp: null, display: null },
    ...{
      removeStream: words.noStream,
      renameStream: words.onlyLive,
      stop: words.nothingRuns,
      viewSource: words.noStream,
    },
    ...{ mark: words.noRun, note: words.noRun, export: words.noRun },
  });
});

test('live: a ramp waits for the streams; all else can be done', () => {
  const hindrances = hindrancesOf(viewOf({ mode: 'live', streams: [streamView(1)], run }), null);
  expect(Object.entries(hindrances).filter(([, reason]) => reason !== null)).toEqual([
    ['startRamp', words.live],
  ]);
});

test.each([
  ['a run', { mode: 'experiment' as const, run }, words.experiment],
  ['the end of a run', { mode: 'stopping' as const, run }, words.stopping],
  [
    'the making of a clip',
    { making: { clip: 'bars', stage: 'made' as const, framesDone: 0, frames: 9, secondsLeft: null } },
    words.making,
  ],
  ['an engine without NDI', { transport: null }, texts.ndi.missingTitle],
  ['an engine that loads NDI', { transport: null, transportLoading: true }, words.starting],
])('during %s no stream is added, and the button says why', (_, state, reason) => {
  const { addStream, removeStream, startRamp } = hindrancesOf(viewOf(state), null);
  expect([addStream, startRamp]).toEqual([reason, reason]);
  expect(removeStream).not.toBeNull();
});

test('a run that ended without a row is not exported', () => {
  expect(hindrancesOf(viewOf({ run }), null).export).toBe(words.nothingMeasured);
  expect(hindrancesOf(viewOf({ run }, { rows: [rowOf(1)] }), null).export).toBeNull();
  expect(hindrancesOf(viewOf({ run, mode: 'experiment' }), null).export).toBeNull();
});

test('an engine that has stopped keeps a run from being exported', () => {
  const view = viewOf({ run }, { life: { state: 'crashed', exitCode: 1 } });
  expect(hindrancesOf(view, null)).toMatchObject({ addStream: words.stopped, export: words.stopped });
});

test('what belongs to a moment waits for an engine that does not answer; a run can be stopped', () => {
  const view = viewOf({ mode: 'live', streams: [streamView(1)], run });
  const hindrances = hindrancesOf(view, null, true);
  const waiting = Object.entries(hindrances).filter(([, reason]) => reason === words.silent);
  expect(waiting.map(([action]) => action)).toEqual([
    'addStream',
    'removeStream',
    'renameStream',
    'startRamp',
    'mark',
    'note',
  ]);
  expect(hindrances.stop).toBeNull();
  const crashed = { ...view, life: { state: 'crashed' as const, exitCode: 1 } };
  expect(hindrancesOf(crashed, null, true).addStream).toBe(words.stopped);
});

test('a live source is added once it is chosen, and never in a ramp', () => {
  const { noRamp, hindrances } = texts.liveSources;
  const of = (search: Parameters<typeof hindrancesOf>[1]) => hindrancesOf(viewOf({}), search);
  expect(of({ found: [], chosen: null })).toMatchObject({
    addStream: hindrances['none-chosen'],
    startRamp: noRamp,
  });
  const source = { name: 'A (b)', addresses: [], sender: 'other' as const, format: null, isListed: true };
  expect(of({ found: [source], chosen: source.name })).toMatchObject({ addStream: null, startRamp: noRamp });
});

test('a stream that another machine receives is shown small alone', () => {
  const streams = [{ ...streamView(1), receivedOn: 'display-1' }];
  const { viewSource, display } = hindrancesOf(viewOf({ mode: 'live', streams, run }), null);
  expect([viewSource, display]).toEqual(Array(2).fill(texts.streams.elsewhere.onlySmall('display-1')));
});

test('a page that may only look can do nothing', () => {
  const hindrances = hindrancesOf(viewOf({}, { right: 'look' }), null);
  expect(new Set(Object.values(hindrances))).toEqual(new Set([texts.served.looksHelp]));
});

test.each([
  [{ mode: 'idle' as const }, null],
  [{ mode: 'live' as const, streams: [streamView(1)], run }, null],
  [{ mode: 'experiment' as const, run }, words.experiment],
  [{ mode: 'stopping' as const, run }, words.stopping],
])('an experiment gives a live run up, and waits for another one: %j', (state, reason) => {
  expect(startHindrance(viewOf(state))).toBe(reason);
  expect(startHindrance(viewOf(state, { right: 'look' }))).toBe(texts.served.looksHelp);
  expect(startHindrance(viewOf(state, { life: { state: 'crashed', exitCode: 1 } }))).toBe(words.stopped);
});
