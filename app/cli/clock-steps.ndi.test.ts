import { afterEach, expect, test, vi } from 'vitest';
import { readEvents } from '../engine/sessions/read-run';
import type { RunEvent } from '../facts/run';
import { killAll, ownLoopback, uniqueName, WhitelineCommand } from '../testing/command';
import { type Row, readStreamRun } from '../testing/named-rows';
import { SteppedClock } from '../testing/stepped-clock';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

/** The last one is that after which libndi was seen to be without its connection for as long. */
const stepsMs = [2000, -50, -2000];
const folder = temporaryFolder();
const out = outputPaths(folder);
const another = { WHITELINE_CLOCK_SKEW: '0ms,0ppm' };

const commands: WhitelineCommand[] = [];
afterEach(async () => {
  for (const command of commands) killAll(command.processes());
  for (const command of commands.splice(0)) await command.ended;
});

function start(words: string[], environment: NodeJS.ProcessEnv, inside: string[] = []): WhitelineCommand {
  const command = new WhitelineCommand(words, environment, inside);
  commands.push(command);
  return command;
}

const stepsIn = (path: string): RunEvent[] =>
  readEvents(path).filter(({ kind }) => kind === 'wall-clock-step');

/** One after the other, each once the one before was seen. */
async function stepAll(clock: SteppedClock, path: string): Promise<void> {
  for (const [index, ms] of stepsMs.entries()) {
    clock.step(ms);
    await vi.waitFor(() => expect(stepsIn(path)).toHaveLength(index + 1));
  }
}

/** Steps of the wall clock enter neither the order of what was recorded nor a duration, nor a latency. */
function expectTimesOf(path: string): Row[] {
  const { rows } = readStreamRun(path);
  const times = readEvents(path).map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  expect(rows.length).toBeGreaterThan(0);
  for (const { startedAt, endedAt, perStream, streams } of rows) {
    if (streams === 0) continue;
    const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
    for (const { firstFrame, lastFrame, latencyMs } of perStream) {
      if (firstFrame === null || lastFrame === null) continue;
      expect(Math.abs((lastFrame - firstFrame + 1) / 30 - seconds)).toBeLessThan(1);
      if (latencyMs.min === null) continue;
      expect(latencyMs.min).toBeGreaterThanOrEqual(0);
      expect(latencyMs.min).toBeLessThan(1000);
    }
  }
  return rows;
}

/** What is missing beside a step is no fault of what is under test, and the step is named. */
function expectStepsNamed(rows: Row[], steps: RunEvent[]): void {
  const stepped = rows.filter(
    ({ startedAt, endedAt, streams }) =>
      streams > 0 && steps.some(({ at }) => at >= startedAt && at <= endedAt),
  );
  expect(stepped.length).toBeGreaterThan(0);
  for (const { verdict, reason } of stepped) {
    expect(['PASS', 'INVALID']).toContain(verdict);
    expect(reason).toContain('this machine’s wall clock was set');
  }
}

test('V5: the wall clock of one machine that sends and receives is set in a row', async () => {
  const clock = new SteppedClock(folder, 'one');
  const words = [
    'run',
    'stream-load',
    '--format',
    '640x360@30',
    '--max-streams',
    '1',
    '--name',
    uniqueName(),
  ];
  const row = ['--hold', '10s', '--warm-up', '500ms', '--invalid-retries', '0', '--stop-on', 'loss'];
  const command = start(
    [...words, ...row, '--stop-after', '60s', '--out', out('one')],
    clock.environment,
    ownLoopback,
  );
  await command.warns(/1 of 1 · Measuring/);
  await stepAll(clock, out('one'));
  // The row ends early, and is judged by what was measured of it.
  command.signal('SIGINT');
  await command.ended;
  expectStepsNamed(expectTimesOf(out('one')), stepsIn(out('one')));
  expect(stepsIn(out('one')).map(({ details }) => Math.round(Number(details?.byMs)))).toEqual(stepsMs);
});

test('V5: the wall clock of the receiver’s machine is set, and then that of the sender’s', async () => {
  const [sender, receiver] = [new SteppedClock(folder, 'sender'), new SteppedClock(folder, 'receiver')];
  const name = uniqueName();
  const words = ['send', '--format', '640x360@30', '--name', name, '--out', out('send')];
  const send = start(words, { ...another, ...sender.environment });
  await send.says(/^Sending /);
  const watch = start(['watch', `${name} 1`, '--out', out('watch')], receiver.environment);
  await watch.says(/^Measuring /m);
  await stepAll(receiver, out('watch'));
  await stepAll(sender, out('send'));
  for (const [command, path] of [
    [watch, out('watch')],
    [send, out('send')],
  ] as const) {
    command.signal('SIGINT');
    await command.ended;
    // Those of one machine are nothing that the other could see of its own.
    expect(stepsIn(path)).toHaveLength(stepsMs.length);
    expectStepsNamed(expectTimesOf(path), stepsIn(path));
  }
});
