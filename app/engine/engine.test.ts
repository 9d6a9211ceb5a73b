import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LateCause } from '../protocol/records';
import { sourceRecords } from '../testing/columns';
import { examplePictures } from '../testing/example-pictures';
import { FakeApplication } from '../testing/fake-application';
import { checked, fileOf, movieFacts, sourceStatus } from '../testing/movie-facts';
import { readNamedRun } from '../testing/named-rows';
import { recorderIn } from '../testing/recorder';
import { SimulatedEngine } from '../testing/simulated-engine';
import { temporaryFolder } from '../testing/temporary-folder';
import type { Engine } from './engine';
import { readEvents } from './sessions/read-run';

const folder = temporaryFolder();
const movie = fileOf(join(folder, 'clip.mov'));
const parameters = { source: movie, format: '640x360@30', pixelFormat: 'uyvy' as const };

let application: FakeApplication;
let simulated: SimulatedEngine;
let engine: Engine;

beforeEach(async () => {
  application = new FakeApplication();
  application.answer = ({ name }) => (name === 'checkMovie' ? checked() : null);
  simulated = new SimulatedEngine(application, folder);
  ({ engine } = simulated);
  await simulated.start();
});
afterEach(() => simulated.close());

const until = (isSo: () => boolean) => simulated.clock.untilSo(isSo);
const sending = () => application.host('sending');
const check = (given: Record<string, unknown>) =>
  ({ name: 'checkParameters', experiment: 'stream-load', parameters: given }) as const;
const runFolder = () => engine.state().run?.folder ?? '';

test('a form with a movie is checked by the sending host', async () => {
  const played = await simulated.execute(check({ source: movie }));
  expect(played).toEqual({
    source: movie,
    remarks: [],
    movie: expect.objectContaining({ codec: expect.any(String) }),
  });
  expect(sending().named('checkMovie')).toEqual([{ name: 'checkMovie', path: movie, decode: false }]);
  const behind = simulated.execute(check({ source: movie, startFrame: 600 }));
  await expect(behind).rejects.toMatchObject({ field: 'startFrame' });
});

test('what plays no movie is checked without a word of one', async () => {
  const checked = simulated.execute({ name: 'checkParameters', experiment: 'quiet', parameters: {} });
  expect(await checked).toBeNull();
});

test('a window that asks for the content battery is answered with its clips', async () => {
  const battery = await simulated.execute({ name: 'listBattery' });
  expect(battery.clips.map(({ name }) => name)).toContain('flares');
});

test('a clip that is asked for while Whiteline closes is not begun', async () => {
  const closed = engine.close();
  const made = simulated.ask({ name: 'makeClip', clip: 'flares', format: '640x360@30' });
  await expect(made).rejects.toMatchObject({ code: 'ABORTED' });
  await simulated.clock.until(closed);
  expect(engine.state().making).toBeNull();
});

test('Stop ends a movie that is still being read into memory', async () => {
  sending().deafTo = 'openSource';
  const added = simulated
    .ask({ name: 'addStream', parameters: { ...parameters, preload: true } })
    .catch((error) => error);
  await until(() => sending().named('openSource').length === 1);
  expect(sending().named('openSource')[0]?.options.hap).toMatchObject({ preload: true });
  const stopped = simulated.ask({ name: 'stop' });
  expect(sending().named('cancel')).toHaveLength(1);
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  expect(await simulated.clock.until(added)).toMatchObject({ code: 'ABORTED' });
  await simulated.clock.until(stopped);
  expect(engine.state()).toMatchObject({ mode: 'idle', source: null });
  expect(readNamedRun(runFolder()).state).toBe('aborted');
});

test('Stop ends a ramp whose movie is still being read', async () => {
  sending().deafTo = 'openSource';
  const ramp = {
    ...parameters,
    name: 'x',
    maxStreams: 1,
    holdSeconds: 1.5,
    warmUpSeconds: 1,
    preload: true,
    audio: true,
  };
  await simulated.execute({ name: 'startExperiment', experiment: 'stream-load', parameters: ramp });
  await until(() => sending().named('openSource').length === 1);
  const stopped = simulated.ask({ name: 'stop' });
  await until(() => sending().named('cancel').length === 1);
  sending().refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  await simulated.clock.until(stopped);
  expect(readNamedRun(runFolder())).toMatchObject({ state: 'aborted', verdict: null });
  expect(engine.state().alerts).toEqual([]);
});

test('a movie that is played shows its disk, and its damage is an event and an alert', async () => {
  await simulated.execute({ name: 'addStream', parameters });
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
  const message = `${basename(movie)} has corrupt frames: 2 pictures so far. The last good picture was shown instead`;
  expect(engine.state().alerts).toMatchObject([
    { key: 'damaged', severity: 'warning', message, details: text },
  ]);
  const event = readEvents(runFolder()).find(({ kind }) => kind === 'source-damaged');
  expect(event).toMatchObject({ text, details: { sourceId, pictures: 2 } });
  expect(readNamedRun(runFolder()).environment.source).toMatchObject({ kind: 'hap', variant: 'Hap Q' });
});

test('what is particular about how a movie is played is said when it is checked, of its streams, and in the record', async () => {
  application.answer = ({ name }) =>
    name === 'checkMovie'
      ? checked({ facts: movieFacts({ width: 720, height: 576, pixelAspect: 64 / 45 }) })
      : null;
  const remarks = ['pixels are not square: shown at 1.78:1'];
  const played = await simulated.execute(check({ source: movie }));
  expect(played).toMatchObject({ source: movie, remarks });
  await simulated.execute({ name: 'addStream', parameters });
  await until(() => engine.state().streams.length > 0);
  expect(engine.state().streams.map(({ sourceRemarks }) => sourceRemarks)).toEqual([remarks]);
  expect(readNamedRun(runFolder()).environment.source).toMatchObject({ remarks });
  const event = readEvents(runFolder()).find(({ kind }) => kind === 'source-remark');
  expect(event?.text).toBe(`${movie}: ${remarks}`);
});

test('a movie that fails raises one alert, which stays dismissed', async () => {
  await simulated.execute({ name: 'addStream', parameters });
  const sourceId = sending().named('openSource')[0]?.sourceId ?? Number.NaN;
  const status = sourceStatus({ state: 'failed', message: 'the disk is gone' });
  sending().report({ atNs: 2e9, sources: [{ sourceId, status, records: sourceRecords([0]) }] });
  const alert = () => engine.state().alerts.find(({ key }) => key === 'source');
  await until(() => alert()?.severity === 'error');
  const message = `${basename(movie)} cannot be played any further`;
  expect(alert()).toMatchObject({ message, details: 'the disk is gone' });
  await simulated.execute({ name: 'dismissAlert', key: 'source' });
  // Samples come less often than it is looked for.
  const samples = engine.samples.length;
  await until(() => engine.samples.length > samples + 1);
  expect(alert()).toBeUndefined();
});

test('an alert of a movie ends with the movie', async () => {
  await simulated.execute({ name: 'addStream', parameters });
  const sourceId = sending().named('openSource')[0]?.sourceId ?? Number.NaN;
  const status = sourceStatus({
    state: 'failed',
    message: 'the disk is gone',
    damagedPictures: 1,
    damage: 'x',
  });
  sending().report({ atNs: 2e9, sources: [{ sourceId, status, records: sourceRecords([0]) }] });
  const keys = () => engine.state().alerts.map(({ key }) => key);
  await until(() => keys().length === 2);
  expect(keys().sort()).toEqual(['damaged', 'source']);
  expect(engine.state().alerts.some(({ untilMs }) => untilMs !== undefined)).toBe(false);
  await simulated.execute({ name: 'stop' });
  await until(() => engine.state().alerts.every(({ untilMs }) => untilMs !== undefined));
  expect(keys()).toHaveLength(2);
});

test('notes, markers, pictures and a title go to the newest run, while it runs and after its end', async () => {
  await expect(simulated.execute({ name: 'addNote', kind: 'note', text: 'early' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await simulated.execute({ name: 'addStream', parameters });
  await simulated.execute({ name: 'addNote', kind: 'marker', text: 'lights on' });
  expect(engine.marks.at(-1)).toMatchObject({ kind: 'marker', label: 'lights on', streams: 1 });
  // Set by one key, so it is numbered among those of its run.
  await simulated.execute({ name: 'addNote', kind: 'marker', text: '' });
  expect(engine.marks.map(({ kind }) => kind)).toEqual(['stream', 'marker', 'marker']);
  await simulated.execute({ name: 'addNote', kind: 'renamed', text: 'Hall 3' });
  expect(engine.state().run?.title).toBe('Hall 3');
  const picture = join(folder, 'rack.png');
  writeFileSync(picture, examplePictures.png);
  const grant = application.chosen('picture', picture);
  await simulated.execute({ name: 'attachPicture', grant, text: 'The rack' });
  await simulated.execute({ name: 'stop' });
  await simulated.execute({ name: 'addNote', kind: 'note', text: 'all went well' });
  const run = readNamedRun(runFolder());
  expect(run).toMatchObject({ title: 'Hall 3', state: 'aborted' });
  expect(run.notes?.map(({ kind, text }) => [kind, text])).toEqual([
    ['marker', 'lights on'],
    ['marker', 'Marker 2'],
    ['picture', 'The rack'],
    ['note', 'all went well'],
  ]);
});

test('an older run is noted by its name, and nothing outside of the folder of runs', async () => {
  const { recorder } = recorderIn(join(simulated.runsFolder, 'older'));
  recorder.end('finished', 'PASS', 'all well');
  recorderIn(join(simulated.runsFolder, '..', 'outside')).recorder.end('finished', 'PASS', '');
  await simulated.execute({ name: 'addNote', kind: 'switch', text: 'M4250', run: 'older' });
  expect(readNamedRun(join(simulated.runsFolder, 'older')).environment).toMatchObject({ switch: 'M4250' });
  // The charts on the screen are of another run.
  await simulated.execute({ name: 'addNote', kind: 'marker', text: 'lights on', run: 'older' });
  expect(engine.marks).toEqual([]);
  for (const run of ['../outside', 'absent', '']) {
    const noted = simulated.execute({ name: 'addNote', kind: 'note', text: 'x', run });
    await expect(noted).rejects.toMatchObject({ code: 'BAD_INPUT', field: 'run' });
  }
});

test('the profile of thresholds that counts is reported', () => {
  expect(engine.state().thresholdProfile).toBe('study');
});
