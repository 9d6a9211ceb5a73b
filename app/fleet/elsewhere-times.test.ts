import { expect, test } from 'vitest';
import { MachineRun } from '../engine/experiment/elsewhere/machine-run';
import type { ClosedRow } from '../facts/row';
import { defaultThresholds } from '../protocol/thresholds';
import { ElsewhereBench, prepares, rowAt } from './elsewhere.fixture';

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
