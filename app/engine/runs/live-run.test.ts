import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultThresholds } from '../../protocol/thresholds';
import { FakeApplication } from '../../testing/fake-application';
import { loadSample } from '../../testing/load-sample';
import { recorderIn } from '../../testing/recorder';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { StandstillLog } from '../load/standstills';
import type { Stream } from '../streams/stream';
import { StreamSet } from '../streams/stream-set';
import { WallClock } from '../wall-clock';
import { LiveRun } from './live-run';

const folder = temporaryFolder();
let clock: SimulatedClock;
let set: StreamSet;
let runs = 0;
beforeEach(() => {
  clock = new SimulatedClock();
});
afterEach(() => set.close());

/** A live run of one stream that shows nothing: it is no longer waited for. */
async function liveRun() {
  set = new StreamSet({
    ...{
      application: new FakeApplication(),
      transport: { name: 'ndi', candidates: [] },
      wallOffsetUs: 0,
      shareRecords: false,
    },
    clock,
    standstills: new StandstillLog(),
    noteEvent: () => undefined,
    onChange: () => undefined,
  });
  await set.start();
  runs += 1;
  const { recorder } = recorderIn(join(folder, `run-${runs}`), { wall: new WallClock(clock) });
  await set.openSource({ source: 'white-line', format: '640x360@60', pixelFormat: 'uyvy' });
  const stream = await set.addStream('Test');
  const live = new LiveRun({
    ...{ set, recorder, thresholds: defaultThresholds, wallOffsetUs: 0, warmUpSeconds: 1 },
    ...{ clock, isSenderRemote: false },
    close: () => set.removeAll(),
    onRow: () => undefined,
    onProblem: (error) => expect.fail(String(error)),
  });
  return { live, recorder, stream, readyNs: clock.monotonicNs() + 11e9 };
}

test('a row that no one ends is written after an hour, and the next one opens', async () => {
  const { live, recorder, readyNs } = await liveRun();
  live.tick(readyNs);
  await clock.pass(1100);
  live.tick(readyNs + 3500e9);
  await clock.pass(100);
  expect(recorder.rows).toHaveLength(0);
  live.tick(readyNs + 3600e9);
  await clock.untilSo(() => recorder.rows.length === 1);
  live.tick(readyNs + 3601e9);
  await clock.pass(1100);
  await clock.until(live.end());
  expect(recorder.rows.map(({ index }) => index)).toEqual([0, 1]);
});

test('no row opens while streams are on their way in or out', async () => {
  const { live, recorder, stream, readyNs } = await liveRun();
  let added: (stream: Stream) => void = () => undefined;
  const adding = live.add(() => new Promise((resolve) => (added = resolve)));
  await clock.pass(50);
  live.tick(readyNs);
  await clock.pass(1100);
  added(stream);
  await adding;
  expect(await clock.until(live.end())).toEqual({
    verdict: null,
    reason: 'stopped before the first row with a stream was measured',
  });
  expect(recorder.rows).toEqual([]);
});

test('a run without a stream keeps no samples that no row will need, however long it lasts', async () => {
  const { live, recorder, stream } = await liveRun();
  await live.remove(stream);
  const startMs = clock.wallMs();
  for (let second = 0; second < 7200; second++) {
    recorder.sample(loadSample({ wallMs: startMs + second * 1000 }));
    if (second % 60 === 0) live.tick((startMs + second * 1000) * 1e6);
  }
  expect(recorder.samples.length).toBeLessThan(70);
  await clock.until(live.end());
});
