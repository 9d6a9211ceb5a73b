import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { figureOf, numberOf } from '../../facts/row-figures';
import { exitCodes } from '../../protocol/errors';
import { WhitelineCommand } from '../../testing/command';
import { whiteline } from '../../testing/command-here';
import { Random, seeds } from '../../testing/random';
import { temporaryFolder } from '../../testing/temporary-folder';
import { fanOutMetrics } from './metrics';

const folder = temporaryFolder();
/** No other test uses these. */
const own = ['--domain', `${202 + (process.pid % 28)}`, '--group-port', `${8398 + (process.pid % 28)}`];
const short = ['--hold', '500ms', '--subscribers', '2', ...own];

test.concurrent.each([
  ['loopback', 'unicast reliable', []],
  ['namespaces', 'multicast reliable', ['--namespaces', '2', '--link', '100']],
])('%s, %s: each figure is known or says why not', async (name, fanOutCase, flags) => {
  const out = join(folder, name);
  const given = ['--cases', fanOutCase, '--measure', 'throughput', 'latency'];
  const { errors, output } = await whiteline('run', 'fan-out', ...given, ...short, ...flags, '--out', out);
  // On a busy machine it says how far it is.
  expect(errors).not.toContain('whiteline:');
  expect(output).toContain('up to 2 subscribers');
  const { rows, state } = readRun(out);
  expect(state).toBe('finished');
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    expect(numberOf(row, 'ddsFanOut.samplesSent')).toBeGreaterThan(0);
    expect(numberOf(row, 'ddsFanOut.samplesLost')).toBe(0);
    expect(numberOf(row, 'ddsFanOut.destinations')).toBe(fanOutCase === 'multicast reliable' ? 1 : 2);
    expect(row.subjects).toHaveLength(2);
    for (const { id } of fanOutMetrics)
      if (figureOf(row, id) === null) expect(row.notMeasured[id], `${row.label}: ${id}`).toBeTruthy();
  }
});

test('a command that is killed at any moment leaves nothing behind but the rows so far', async () => {
  const random = new Random(seeds[0]);
  const given = ['--cases', 'multicast reliable', '--namespaces', '1', '--link', '20', '--repeats', '100'];
  const kills = [false, false, true].map((isWithRow, kill) => ({
    ...{ isWithRow, out: join(folder, `killed-${kill}`) },
    ...{ processes: random.whole(1, 3), afterMs: random.whole(0, 500) },
  }));
  await Promise.all(
    kills.map(async ({ isWithRow, out, processes, afterMs }) => {
      const command = new WhitelineCommand(['run', 'fan-out', ...short, ...given, '--out', out]);
      if (isWithRow) await vi.waitFor(() => expect(readRun(out).rows).not.toEqual([]), 60_000);
      else await command.hasStarted('whiteline-fanout', processes);
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      command.signal('SIGKILL');
      await command.leavesNothingBehind();
      if (!isWithRow) return;
      const { state, rows } = readRun(out);
      expect(state).toBe('interrupted');
      expect(rows.length).toBeGreaterThan(0);
    }),
  );
});

test('a command that is stopped keeps the rows that it has measured', async () => {
  const out = join(folder, 'stopped');
  const command = new WhitelineCommand(['run', 'fan-out', ...short, '--out', out]);
  await command.says(/unicast best-effort, 8192 B, 2 subscribers/);
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const { state, rows } = readRun(out);
  expect(state).toBe('aborted');
  expect(rows.length).toBeGreaterThan(0);
  await command.leavesNothingBehind();
});

test.each([
  [['--link', '100'], /at least 1 namespace where a link is given for --namespaces but received 0/],
  [['--group', '10.0.0.1'], /group.*10\.0\.0\.1/s],
])('%j is refused before anything runs', async (flags, words) => {
  const out = join(folder, 'refused');
  const { exitCode, errors } = await whiteline('run', 'fan-out', ...flags, '--out', out);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(words);
  expect(existsSync(out)).toBe(false);
});

test('fewer open files than a run takes are refused with the limit and what to do', async () => {
  const out = join(folder, 'few-files');
  const inside = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'];
  const { exitCode, errors } = await new WhitelineCommand(['run', 'fan-out', '--out', out], {}, inside).ended;
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(/ulimit -n allows 64 for --subscribers but received 8\. Allow more: ulimit -n \d+/);
  expect(existsSync(out)).toBe(false);
});
