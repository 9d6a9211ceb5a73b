import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { figureOf, numberOf } from '../../facts/row-figures';
import type { HostEnvironment } from '../../protocol/environment';
import { exitCodeOfVerdict, exitCodes } from '../../protocol/errors';
import { threadPolicySchema } from '../../protocol/thread-policy';
import { WhitelineCommand } from '../../testing/command';
import { whiteline } from '../../testing/command-here';
import { withoutStatus } from '../../testing/status-lines';
import { temporaryFolder } from '../../testing/temporary-folder';
import { quietMetrics } from './metrics';

const folder = temporaryFolder();

test('this machine: each slot is a wake-up or was overslept, each figure is known or says why not', async () => {
  const out = join(folder, 'run');
  const { exitCode, output, errors } = await whiteline(
    ...['run', 'quiet', '--rates-hz', '60', '1000', '--hold', '500ms', '--out', out],
  );
  expect(withoutStatus(errors)).toBe('');
  const { rows, verdict, reason, state, environment } = readRun(out);
  expect(state).toBe('finished');
  const [machine] = environment.hosts as HostEnvironment[];
  expect(threadPolicySchema.parse(machine?.threadPolicy).threads).toMatchObject({
    pacing: { core: null },
    background: { realTimePriority: 0 },
  });
  // How quiet this machine is, is not known before.
  expect(exitCode).toBe(exitCodeOfVerdict(verdict));
  expect(output).toContain(`${verdict}: ${reason}`);
  expect(rows.map(({ label }) => label)).toEqual([
    ...['wake-ups at 60 Hz', 'wake-ups at 1000 Hz', 'scores of the cores'],
  ]);
  const slots = rows.map(
    (row) => (numberOf(row, 'quiet.wakeUps') ?? 0) + (numberOf(row, 'quiet.slotsOverslept') ?? 0),
  );
  expect(slots).toEqual([30, 500, 0]);
  for (const row of rows) {
    for (const { id } of quietMetrics) {
      const isKnown = figureOf(row, id) !== null;
      expect(row.notMeasured[id] === undefined, `${row.label}: ${id}`).toBe(isKnown);
    }
  }
  const [first, second, scores] = rows;
  expect(numberOf(first ?? fail(), 'quiet.contextSwitchesPerSecond')).toBeGreaterThan(0);
  expect(second?.subjects.every(({ kind, name }) => kind === 'program' && name !== '')).toBe(true);
  expect(scores?.subjects.length).toBeGreaterThan(0);
  expect(numberOf(scores ?? fail(), 'quiet.integerMsteps')).toBeGreaterThan(0);
});

function fail(): never {
  throw new Error('There is no such row');
}

test.each([
  ['SIGINT', 'stopped by Ctrl-C or SIGINT'],
  ['SIGTERM', 'stopped by a signal (SIGTERM)'],
  ['SIGHUP', 'stopped by a signal (SIGHUP)'],
] as const)(
  '%s: a run keeps what it has, says what stopped it, and leaves no process',
  async (signal, why) => {
    const out = join(folder, signal);
    const command = new WhitelineCommand([
      'run',
      'quiet',
      '--rates-hz',
      '500',
      '--hold',
      '10m',
      '--out',
      out,
    ]);
    await command.says(/^Quiet machine: /m);
    await command.hasStarted('streamhost', 1);
    command.signal(signal);
    const { exitCode } = await command.ended;
    expect(exitCode).toBe(exitCodes.aborted);
    const { rows, state, verdict, reason } = readRun(out);
    expect([state, verdict, reason.split('. Until then: ')[0]]).toEqual(['aborted', null, why]);
    for (const row of rows)
      expect(numberOf(row, 'measuredSeconds')).toBeCloseTo(
        ((numberOf(row, 'quiet.wakeUps') ?? 0) + (numberOf(row, 'quiet.slotsOverslept') ?? 0)) / 500,
      );
    await command.leavesNothingBehind();
  },
);

test('a wrong rate is refused by its flag', async () => {
  const { exitCode, errors } = await whiteline('run', 'quiet', '--rates-hz', '60', '2000');
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(/rates-hz.*2000/s);
});
