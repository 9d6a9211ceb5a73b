import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isMissing } from '../engine/experiment/elsewhere/machine-row';
import { readEvents, readRun, readSamples } from '../engine/sessions/read-run';
import { wordsOf } from '../facts/reason-words';
import type { Row } from '../facts/row';
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

/** Why machines were not measured to their end. */
function missing(rows: readonly Row[]): string[] {
  return rows.filter(isMissing).map(({ reason }) => wordsOf(reason));
}

test('preflight on an agent and here: one table, each row with its machine', async () => {
  await fleet.startServer();
  await fleet.startAgent('display-1');
  const to = out('preflight');
  const on = 'display-1,this machine';
  const run = fleet.whiteline(['run', 'preflight', '--on', on, '--duration', '500ms', '--out', to]);
  const { output } = await run.ended;
  const { rows, verdict, reason, startedAt } = readRun(to);
  expect(output).toContain('Preflight: on display-1, this machine; here: ');
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

test('quiet and storage on two agents at the same time: figures of each, and no path of an agent', async () => {
  await fleet.startServer();
  const disk = mkdtempSync(join(folder, 'disk-'));
  // Not in a namespace: there Ctrl-C ends what stands before the agent, and not the agent.
  const agent = await fleet.startAgent('display-1', []);
  await fleet.startAgent('display-2', undefined, ['--storage', disk]);
  const on = 'display-2,display-1';
  const [quiet, storage] = [out('quiet'), out('storage')];
  const short = ['--hold', '1s', '--repeats', '1'];
  const quietly = await fleet.whiteline([
    'run',
    'quiet',
    '--on',
    on,
    '--rates-hz',
    '60',
    ...short,
    '--out',
    quiet,
  ]).ended;
  const woken = readRun(quiet).rows;
  expect([missing(woken), woken.length], quietly.errors).toEqual([[], 4]);
  for (const machine of ['display-1', 'display-2'])
    expect(woken.filter(({ step }) => step.machine === machine)).toMatchObject([
      { step: { 'quiet.rateHz': 60 }, figures: { 'quiet.wakeUps': expect.any(Number) } },
      { figures: { 'quiet.integerMsteps': expect.any(Number) } },
    ]);
  const tests = ['--size-mib', '16', '--tests', 'SEQ1M-Q1T1', '--operations', 'read'];
  await fleet.whiteline(['run', 'storage', '--on', on, ...tests, ...short, '--out', storage]).ended;
  const read = readRun(storage).rows;
  expect(missing(read)).toEqual([]);
  expect(read.map(({ step }) => [step.machine, step['storage.folder']])).toEqual([
    ['display-2', disk],
    ['display-1', 'temporary folder'],
  ]);
  expect(read.every(({ figures }) => Number(figures['storage.medianMBps']) > 0)).toBe(true);
  expect(readdirSync(disk)).toEqual([]);
  expect(readFileSync(join(storage, 'rows.jsonl'), 'utf8')).not.toContain('whiteline-storage-');
  // Its temporary folder goes with the agent.
  agent.signal('SIGINT');
  expect((await agent.ended).exitCode).toBe(0);
});

test.each([
  ['display-1,display-9', [], 'received display-9'],
  ['display-1,display-1', [], 'display-1 twice'],
  [
    'display-1',
    ['--folders', '/tmp'],
    'Expected no value of this machine, which is not measured, for --folders',
  ],
])('--on %s %s is refused, with what to do', async (on, more, words) => {
  await fleet.startServer();
  await fleet.startAgent('display-1');
  const run = fleet.whiteline(['run', 'storage', '--on', on, ...more, '--out', out('refused')]);
  const { errors, exitCode } = await run.ended;
  expect(errors).toContain(words);
  expect(exitCode).toBe(2);
});

test('an agent that is killed: its experiment ends with it, and the machine is INVALID here', async () => {
  await fleet.startServer();
  const agent = await fleet.startAgent('display-1');
  const to = out('killed');
  const run = fleet.whiteline(['run', 'quiet', '--on', 'display-1', '--hold', '60s', '--out', to, '--json']);
  await expect.poll(() => agent.processes('experiment.cjs').length, { timeout: 60_000 }).toBe(1);
  await expect.poll(() => readEvents(to).some(({ kind }) => kind === 'machine-prepared')).toBe(true);
  agent.signal('SIGKILL');
  const { exitCode } = await run.ended;
  await expect.poll(() => agent.processes()).toEqual([]);
  const { rows, verdict } = readRun(to);
  expect(rows.map(({ label }) => label)).toEqual(['display-1: measurement not finished']);
  expect([verdict, exitCode]).toEqual(['INVALID', 5]);
});
