import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvents, readRun, readSamples } from '../engine/sessions/read-run';
import { FleetHere } from '../testing/fleet-here';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

// Experiments of one machine, on agents with a monotonic clock of their own, and here; a real nats-server between them.

const folder = temporaryFolder();
const out = outputPaths(folder);

let fleet: FleetHere;
beforeEach(() => {
  fleet = new FleetHere(folder);
});
afterEach(() => fleet.close());

test('preflight on an agent and here: one table, each row with its machine', async () => {
  await fleet.startServer();
  await fleet.startAgent('display-1');
  const to = out('preflight');
  const on = 'display-1,this machine';
  const run = fleet.whiteline(['run', 'preflight', '--on', on, '--duration', '500ms', '--out', to]);
  const { output, errors } = await run.ended;
  const { rows, verdict, reason, startedAt } = readRun(to);
  console.log(output, errors, verdict, reason);
  expect(rows.map(({ index }) => index)).toEqual(rows.map((_, index) => index));
  const of = (machine: string) => rows.filter(({ step }) => step.machine === machine);
  const labels = of('this machine').map(({ label }) => label.replace('this machine: ', ''));
  expect(of('display-1').map(({ label }) => label.replace('display-1: ', ''))).toEqual(labels);
  expect(labels.length).toBeGreaterThan(10);
  expect(of('display-1').every(({ load }) => 'display-1' in load)).toBe(true);
  expect(of('this machine').every(({ load }) => hostname() in load)).toBe(true);
  // Times of a machine whose monotonic clock is a day ahead are those of the run.
  for (const { from, to: end } of rows) {
    expect(Date.parse(from)).toBeGreaterThanOrEqual(Date.parse(startedAt) - 50);
    expect(Date.parse(end ?? '')).toBeLessThan(Date.parse(startedAt) + 120_000);
  }
  expect(verdict).not.toBeNull();
  expect(reason).toMatch(/display-1|this machine/);
  expect(readEvents(to).some(({ kind }) => kind === 'machine-prepared')).toBe(true);
  expect(readSamples(to).some(({ host }) => host === 'display-1')).toBe(true);
});
