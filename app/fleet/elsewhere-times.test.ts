import { expect, test } from 'vitest';
import { MachineRun } from '../engine/experiment/elsewhere/machine-run';
import { experimentOf } from '../engine/experiment/experiment-of';
import { reasonOf, wordsOf } from '../facts/reason-words';
import type { ClosedRow, Row } from '../facts/row';
import { defaultThresholds } from '../protocol/thresholds';
import { temporaryFolder } from '../testing/temporary-folder';
import { wholeRun } from '../testing/whole-run';
import { ElsewhereBench, prepares, rowAt } from './elsewhere.fixture';

const folder = temporaryFolder();

/** Two rows of 10 s each, from a machine that says one after so many seconds, and the other after twice as many. */
async function measured(everySeconds: number, stopAfterSeconds?: number): Promise<ClosedRow[]> {
  const bench = new ElsewhereBench();
  const { clock, fleet } = bench;
  bench.start('evil-1', (child, type) => {
    prepares(child, type, clock);
    const say = (label: string): void => child.say({ type: 'row', row: rowAt(clock, label) });
    if (type === 'stop') say('stopped');
    if (type === 'stop') child.end();
    if (type !== 'begin' || stopAfterSeconds !== undefined) return;
    clock.after(everySeconds * 1000, () => say('one'));
    clock.after(everySeconds * 2000, () => {
      say('two');
      child.end();
    });
  });
  const machine = await clock.until(fleet.find('evil-1'));
  if (!machine) throw new Error('there is no evil-1');
  const asked = { experiment: 'quiet', parameters: {}, silenceSeconds: 60, leastSeconds: () => 10 };
  const run = new MachineRun(machine, asked, clock);
  const abort = new AbortController();
  const rows = async (): Promise<ClosedRow[]> => {
    await run.prepared();
    if (stopAfterSeconds !== undefined) clock.after(stopAfterSeconds * 1000, () => abort.abort());
    const isoNow = () => new Date(clock.wallMs()).toISOString();
    const nothing = { noteEvent: () => undefined, progress: () => undefined };
    const context = { clock, isoNow, thresholds: defaultThresholds, signal: abort.signal, ...nothing };
    const taken: ClosedRow[] = [];
    for await (const row of run.measure(context)) taken.push(row);
    return taken;
  };
  return clock.until(rows());
}

test('rows that take their time are taken, and one that the operator stopped', async () => {
  expect((await measured(10)).map(({ label }) => label)).toEqual(['one', 'two']);
  expect((await measured(10, 2)).map(({ label }) => label)).toEqual(['stopped']);
});

test.each([
  [0.1, 'at least for row but received one after 0.1 s'],
  [9, 'Expected rows that take 10.0 s at least for row but received one after 9.0 s'],
])('a machine whose rows end every %d s is given up by its name', async (everySeconds, words) => {
  await expect(measured(everySeconds)).rejects.toThrow(words);
  await expect(measured(everySeconds)).rejects.toThrow('evil-1: the experiment was given up');
});

const quietFigures = {
  ...{ 'quiet.rateHz': 60, 'quiet.wakeUps': 3600, 'quiet.slotsOverslept': 0, 'quiet.wakeUpsLate': 0 },
  ...{ 'quiet.wakeUpLatenessMs.p99': 0.1, 'quiet.wakeUpLatenessMs.max': 0.2 },
};
const storageFigures = {
  ...{ 'storage.operation': 'read', 'storage.test': 'SEQ1M-Q1T1' },
  ...{ 'storage.bestMBps': 9000, 'storage.medianMBps': 9000 },
};
const scores = { 'quiet.rateHz': null, 'quiet.integerMsteps': 150, 'quiet.memoryMBps': 9000 };

const quietOf60 = { ratesHz: [60], holdSeconds: 60 };
const storageOf60 = { tests: ['SEQ1M-Q1T1'], operations: ['read'], repeats: 6, holdSeconds: 10 };

type Said = Pick<Row, 'verdict'> & { reason: string };

/** What stands in the table of a run on evil-1, which says such rows after so many seconds and ends. */
async function tableOf(
  id: string,
  asked: Record<string, unknown>,
  rows: readonly Partial<ClosedRow>[],
  seconds: number,
): Promise<Said[]> {
  const bench = new ElsewhereBench();
  const { clock } = bench;
  bench.start('evil-1', (child, type) => {
    prepares(child, type, clock);
    if (type !== 'begin') return;
    clock.after(seconds * 1000, () => {
      for (const row of rows) child.say({ type: 'row', row: rowAt(clock, 'one', row) });
      child.end();
    });
  });
  const { outcome, run } = await wholeRun({
    ...{ folder, clock, experiment: experimentOf(id), parameters: { ...asked, on: 'evil-1' } },
    ways: bench.ways,
  });
  expect(outcome.state).toBe('finished');
  return run.rows.map(({ verdict, reason }) => ({ verdict, reason: wordsOf(reason) }));
}

const of60 = (figures: ClosedRow['figures']): Partial<ClosedRow> => ({
  figures: { measuredSeconds: 60, ...figures },
});

test.each<[string, Record<string, unknown>, Partial<ClosedRow>[]]>([
  ['quiet', quietOf60, [of60(quietFigures), of60(scores)]],
  ['storage', storageOf60, [of60(storageFigures)]],
])('%s of 60 s is believed of a machine after its time, and not at once', async (id, asked, rows) => {
  expect((await tableOf(id, asked, rows, 60)).map(({ verdict }) => verdict)).toEqual(rows.map(() => 'PASS'));
  expect(await tableOf(id, asked, rows, 0.5)).toEqual([
    {
      verdict: 'INVALID',
      reason: expect.stringMatching(/rows that take 5\d\.\d s at least .* one after 0\.5 s/),
    },
  ]);
});

const short = reasonOf('passes-short', { done: 1, wanted: 6 });

test.each<[string, string, Record<string, unknown>, Partial<ClosedRow>[], string]>([
  ['without its scores', 'quiet', quietOf60, [of60(quietFigures)], '1 of 2'],
  ['without a rate', 'quiet', quietOf60, [of60(scores), of60(scores)], '1 of 2'],
  [
    'at one rate twice',
    'quiet',
    { ...quietOf60, ratesHz: [60, 50] },
    [of60(quietFigures), of60(quietFigures), of60(scores)],
    '2 of 3',
  ],
  [
    'by one test of two',
    'storage',
    { ...storageOf60, operations: ['read', 'write'] },
    [of60(storageFigures)],
    '1 of 2',
  ],
  ['of fewer passes', 'storage', storageOf60, [{ ...of60(storageFigures), reason: [short] }], '0 of 1'],
])('a run %s that another machine ends by itself is INVALID', async (_, id, asked, rows, share) => {
  const table = await tableOf(id, asked, rows, 115);
  expect(table.at(-1)).toEqual({
    verdict: 'INVALID',
    reason: expect.stringContaining(`ended after ${share} rows`),
  });
});
