import { afterEach, expect, test, vi } from 'vitest';
import { defaultThresholds } from '../protocol/thresholds';
import { FakeApplication } from '../testing/fake-application';
import { recorderIn } from '../testing/recorder';
import { temporaryFolder } from '../testing/temporary-folder';
import { monotonicNs, sleep } from './clock';
import { LiveRun } from './live-run';
import { StreamSet } from './streams/stream-set';

const folder = temporaryFolder();
const set = new StreamSet({
  ...{ application: new FakeApplication(), ndiCandidates: [], wallOffsetUs: 0, shareRecords: false },
  noteEvent: () => undefined,
  onChange: () => undefined,
});
afterEach(() => set.close());

test('a row that nobody ends is written after an hour, and the next one opens', async () => {
  await set.start();
  const { recorder } = recorderIn(folder);
  await set.openSource({ source: 'white-line', format: '640x360@60', pixelFormat: 'uyvy' });
  await set.addStream('Test');
  const live = new LiveRun({
    ...{ set, recorder, thresholds: defaultThresholds, wallOffsetUs: 0, warmUpSeconds: 1 },
    namePrefix: 'Test',
    onRow: () => undefined,
    onProblem: (error) => expect.fail(String(error)),
  });
  // The stream shows nothing: it is no longer waited for.
  const openedNs = monotonicNs() + 11e9;
  live.tick(openedNs);
  await sleep(1100);
  live.tick(openedNs + 3500e9);
  await sleep(100);
  expect(recorder.rows).toHaveLength(0);
  live.tick(openedNs + 3600e9);
  await vi.waitFor(() => expect(recorder.rows).toHaveLength(1), { timeout: 5000 });
  live.tick(openedNs + 3601e9);
  await sleep(1100);
  await live.end();
  expect(recorder.rows.map(({ row }) => row)).toEqual([0, 1]);
}, 20_000);
