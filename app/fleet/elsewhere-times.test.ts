import { expect, test } from 'vitest';
import { MachineRun } from '../engine/experiment/elsewhere/machine-run';
import { experimentOf } from '../engine/experiment/experiment-of';
import { wordsOf } from '../facts/reason-words';
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
const storageFigures = { 'storage.operation': 'read', 'storage.bestMBps': 9000, 'storage.medianMBps': 9000 };

test.each<[string, Record<string, unknown>, ClosedRow['figures']]>([
  ['quiet', { ratesHz: [60], holdSeconds: 60 }, quietFigures],
  ['storage', { tests: ['SEQ1M-Q1T1'], operations: ['read'], repeats: 6, holdSeconds: 10 }, storageFigures],
])('%s of 60 s is believed of a machine after its time, and not at once', async (id, asked, own) => {
  const after = async (
    seconds: number,
  ): Promise<[state: string, verdict: Row['verdict'], reason: string][]> => {
    const bench = new ElsewhereBench();
    const { clock } = bench;
    bench.start('evil-1', (child, type) => {
      prepares(child, type, clock);
      if (type !== 'begin') return;
      clock.after(seconds * 1000, () => {
        child.say({ type: 'row', row: rowAt(clock, 'one', { figures: { measuredSeconds: 60, ...own } }) });
        child.end();
      });
    });
    const { outcome, run } = await wholeRun({
      ...{ folder, clock, experiment: experimentOf(id), parameters: { ...asked, on: 'evil-1' } },
      ways: bench.ways,
    });
    return run.rows.map(({ verdict, reason }) => [outcome.state, verdict, wordsOf(reason)]);
  };
  expect((await after(60)).map(([state, verdict]) => [state, verdict])).toEqual([['finished', 'PASS']]);
  expect(await after(0.5)).toEqual([
    ...[
      ['finished', 'INVALID', expect.stringMatching(/rows that take 5\d\.\d s at least .* one after 0\.5 s/)],
    ],
  ]);
});
