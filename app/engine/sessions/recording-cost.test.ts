import type * as fs from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { recorderIn } from '../../testing/recorder';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { dateNow } from '../clock';
import { WallClock } from '../wall-clock';

/** What this process reads and writes, for any caller. */
const bytes = { read: 0, written: 0 };

vi.mock('node:fs', async (original) => {
  const actual = await original<typeof fs>();
  return {
    ...actual,
    readSync: (...read: Parameters<typeof actual.readSync>) => {
      const got = actual.readSync(...read);
      bytes.read += got;
      return got;
    },
    writeSync: (...written: Parameters<typeof actual.writeSync>) => {
      const put = actual.writeSync(...written);
      bytes.written += put;
      return put;
    },
  };
});

const root = temporaryFolder();
const rowSeconds = 10;
const samplesPerRow = 4;
const row = exampleRow(0);
const sample = loadSample();
const clock = new SimulatedClock();
const wall = new WallClock(clock);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Bytes of each row of a run that is recorded for so many rows, as the clock goes. */
async function record(name: string, rows: number): Promise<{ read: number[]; written: number[] }> {
  const { recorder, problems } = recorderIn(join(root, name), { wall });
  const cost = { read: [] as number[], written: [] as number[] };
  for (let index = 0; index < rows; index++) {
    Object.assign(bytes, { read: 0, written: 0 });
    for (let half = 0; half < samplesPerRow; half++) recorder.sample({ ...sample, wallMs: clock.wallMs() });
    clock.stall(rowSeconds * 1000);
    const at = dateNow(clock).toISOString();
    recorder.row({ ...row, index, from: at, to: at });
    // What was asked for meanwhile is done by then.
    await turn();
    cost.read.push(bytes.read);
    cost.written.push(bytes.written);
  }
  void recorder.end('finished', 'PASS', '');
  expect(problems).toEqual([]);
  return cost;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

test('what a row costs does not depend on the rows before it', async () => {
  const { read, written } = await record('long', 600);
  expect(median(read.slice(-100))).toBe(0);
  // The numbers of rows get longer.
  expect(median(written.slice(-100))).toBeLessThan(1.01 * median(written.slice(0, 100)));
});

test('neither does it with all that is derived meanwhile', async () => {
  const whole = async (name: string, rows: number): Promise<{ read: number; written: number }> => {
    const { read, written } = await record(name, rows);
    return { read: sum(read) / rows, written: sum(written) / rows };
  };
  // run.json is derived at row 6, 12, 24 …: each of these runs ends as it has just been.
  const [short, long] = [await whole('short', 96), await whole('longer', 768)];
  expect(short.read).toBeGreaterThan(0);
  expect(long.read).toBeLessThan(1.1 * short.read);
  expect(long.written).toBeLessThan(1.1 * short.written);
});

test('samples without a row are not kept in memory, and a row has all of its own', () => {
  const { recorder } = recorderIn(join(root, 'idle'), { wall });
  const startMs = clock.wallMs();
  const look = (second: number): void => recorder.sample({ ...sample, wallMs: startMs + second * 1000 });
  for (let second = 0; second < 3600; second++) {
    look(second);
    recorder.forgetSamples(startMs + second * 1000);
  }
  expect(recorder.samples.length).toBeLessThan(10);
  for (let second = 3600; second < 3700; second++) look(second);
  expect(recorder.samples.length).toBeGreaterThanOrEqual(100);
  void recorder.end('aborted', null, '');
});

test('rows of a run without an end are not kept where no one asks for them', () => {
  const { recorder } = recorderIn(join(root, 'watched'), { wall, keepsRows: false });
  for (let index = 0; index < 20; index++) recorder.row({ ...row, index });
  expect(recorder.rows).toEqual([]);
  void recorder.end('aborted', null, '');
});
