import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LateCause } from '../protocol/records';
import { sourceRecords } from '../testing/columns';
import { FakeApplication } from '../testing/fake-application';
import { checked, fileOf, sourceStatus } from '../testing/movie-facts';
import { temporaryFolder } from '../testing/temporary-folder';
import { Engine } from './engine';
import { readEvents, readRun } from './sessions/read-run';

const folder = temporaryFolder();
const movie = fileOf(join(folder, 'clip.mov'));
const parameters = { source: movie, format: '640x360@30', pixelFormat: 'uyvy' as const };

let application: FakeApplication;
let engine: Engine;

beforeEach(async () => {
  application = new FakeApplication();
  application.answer = ({ name }) => (name === 'checkMovie' ? checked() : null);
  engine = new Engine({ application, appFolder: folder, runsFolder: join(folder, 'runs'), version: 'test' });
  await engine.start();
});
afterEach(() => engine.close());

const sending = () => application.host('sending');
const runFolder = () => engine.state().run?.folder ?? '';

test('a form with a movie is checked by the sending host', async () => {
  await engine.execute({ name: 'checkParameters', parameters: { source: movie } });
  expect(sending().named('checkMovie')).toEqual([{ name: 'checkMovie', path: movie, decode: false }]);
  const behind = engine.execute({ name: 'checkParameters', parameters: { source: movie, startFrame: 600 } });
  await expect(behind).rejects.toMatchObject({ field: 'startFrame' });
});

test('Stop ends a movie that is still being read into memory', async () => {
  sending().deafTo = 'openSource';
  const added = engine
    .execute({ name: 'addStream', parameters: { ...parameters, preload: true } })
    .catch((error) => error);
  await vi.waitFor(() => expect(sending().named('openSource')).toHaveLength(1));
  expect(sending().named('openSource')[0]?.options.hap).toMatchObject({ preload: true });
  const stopped = engine.execute({ name: 'stop' });
  expect(sending().named('cancel')).toHaveLength(1);
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  expect(await added).toMatchObject({ code: 'ABORTED' });
  await stopped;
  expect(engine.state()).toMatchObject({ mode: 'idle', source: null });
  expect(readRun(runFolder()).state).toBe('aborted');
});

test('Stop ends a ramp whose movie is still being read', async () => {
  sending().deafTo = 'openSource';
  const ramp = {
    ...parameters,
    name: 'x',
    maxStreams: 1,
    holdSeconds: 1,
    warmUpSeconds: 1,
    preload: true,
    audio: true,
  };
  await engine.execute({ name: 'startRamp', parameters: ramp });
  await vi.waitFor(() => expect(sending().named('openSource')).toHaveLength(1));
  const stopped = engine.execute({ name: 'stop' });
  await vi.waitFor(() => expect(sending().named('cancel')).toHaveLength(1));
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  await stopped;
  expect(readRun(runFolder())).toMatchObject({ state: 'aborted', verdict: null });
  expect(engine.state().alerts).toEqual([]);
});

test('a movie that is played shows its disk, and its damage is an event and an alert', async () => {
  await engine.execute({ name: 'addStream', parameters });
  const sourceId = sending().named('openSource')[0]?.sourceId ?? Number.NaN;
  const damage = `${movie}, frame 12 (bytes 40 to 80), at byte 44: it is too short`;
  const status = sourceStatus({ diskRateMBps: 31, damagedPictures: 2, damage });
  const records = sourceRecords([0, 1], new Map([[1, LateCause.Damaged]]));
  sending().report({ atNs: 2e9, sources: [{ sourceId, status, records }] });
  expect(engine.state().source).toMatchObject({
    ...{ text: movie, width: 3840, framesPerSecond: 60000 / 1001 },
    ...{ diskRateMBps: 31, neededDiskRateMBps: 225, damagedPictures: 2 },
  });
  const text = `${damage}: the last good picture was shown instead (2 damaged pictures)`;
  expect(engine.state().alerts).toMatchObject([{ key: 'damaged', severity: 'warning', message: text }]);
  const event = readEvents(runFolder()).find(({ kind }) => kind === 'source-damaged');
  expect(event).toMatchObject({ text, details: { sourceId, pictures: 2 } });
  expect(readRun(runFolder()).environment.source).toMatchObject({ kind: 'hap', variant: 'Hap Q' });
});
