// @module-tag machine

import { expect, test, vi } from 'vitest';
import { exitCodes } from '../../../protocol/errors';
import type { Row } from '../../../protocol/version-1/row';
import { uniqueName, WhitelineCommand } from '../../../testing/command';
import { readStreamRun } from '../../../testing/read-stream-run';
import { outputPaths, temporaryFolder } from '../../../testing/temporary-folder';
import { readEvents, readSamples } from '../../sessions/read-run';

vi.setConfig({ testTimeout: 90_000 });

const folder = temporaryFolder();
const out = outputPaths(folder);

function fanOut(to: string, ...flags: string[]): WhitelineCommand {
  return new WhitelineCommand([
    ...['run', 'receiver-fan-out', '--format', '640x360@30', '--max-receivers', '2', '--name', uniqueName()],
    ...['--hold', '1500ms', '--warm-up', '500ms', '--out', to, ...flags],
  ]);
}

function expectSums(rows: Row[]): void {
  for (const part of rows.flatMap((row) => [row, ...row.perStream])) {
    expect(part.framesScheduled).toBe((part.framesSubmitted ?? 0) + (part.framesSenderMissed ?? 0));
    expect(part.framesSubmitted).toBe((part.framesReceived ?? 0) + (part.framesDropped ?? 0));
    expect(part.conserved).toBe(true);
  }
}

test('receivers of one sender, then senders: each receiver is counted by itself, and its cost is reported', async () => {
  const command = fanOut(out('both'));
  const { exitCode, output } = await command.ended;
  const run = readStreamRun(out('both'));
  // A sender that missed frames on a full machine ends an arm early.
  const isShort = run.rows.some((row) => row.senderMissed);
  if (!isShort) {
    expect(run.rows.map(({ label }) => label)).toEqual([
      'no receiver, no sender',
      ...['receivers on one sender: 1', 'receivers on one sender: 2'],
      ...['senders: 1', 'senders: 2'],
    ]);
    expect(run.rows.map(({ values }) => values['fanOut.senders'])).toEqual([0, 1, 1, 1, 2]);
    expect(run.rows.map(({ perStream }) => perStream.length)).toEqual([0, 1, 2, 1, 2]);
    const [, , two] = run.rows;
    const [own, further] = two?.perStream ?? [];
    expect(further?.name).toBe(`${own?.name}, receiver 2`);
    expect(further?.streamId).not.toBe(own?.streamId);
    // What one sender submitted stands at each of its receivers.
    expect(further?.framesSubmitted).toBe(own?.framesSubmitted);
    expect(two?.framesSubmitted).toBe(2 * (own?.framesSubmitted ?? 0));
  }
  expectSums(run.rows);
  const verdicts = { PASS: exitCodes.pass, WARN: exitCodes.pass, FAIL: exitCodes.fail };
  expect(exitCode).toBe({ ...verdicts, INVALID: exitCodes.invalid }[run.verdict ?? 'FAIL']);
  expect(output).toContain(run.reason);
  if (run.verdict === 'PASS') expect(run.reason).toMatch(/^one more receiver on a sender costs .+ Mb\/s/);
  await command.leavesNothingBehind();
});

test('a sending process that is killed makes its row INVALID, and all receivers go on', async () => {
  const command = fanOut(out('killed'), '--hold', '4s');
  await command.says(/receivers on one sender: 1/, 40);
  await vi.waitFor(() => {
    const connected = readEvents(out('killed')).filter(({ kind }) => kind === 'stream-connected');
    if (connected.length < 2) throw new Error('the second receiver is not there yet');
  });
  // A second and a half of its own time, however slow it is: in the middle of the row.
  const samples = readSamples(out('killed')).length;
  await vi.waitFor(() => expect(readSamples(out('killed')).length).toBeGreaterThan(samples + 3));
  const [victim] = command.processes('streamhost.cjs sending');
  process.kill(victim ?? Number.NaN, 'SIGKILL');
  const { exitCode } = await command.ended;
  const run = readStreamRun(out('killed'));
  const invalid = run.rows.filter(({ reason }) => reason.includes('a stream process died'));
  expect(invalid.map(({ label }) => label)).toEqual(['receivers on one sender: 2']);
  expect(run.state).toBe('finished');
  expect(exitCode).toBe(exitCodes.invalid);
  expect(run.rows.at(-1)?.framesReceived).toBeGreaterThan(0);
  await command.leavesNothingBehind();
});

test('Ctrl-C in the middle keeps the rows so far', async () => {
  const command = fanOut(out('stopped'), '--hold', '30s');
  await command.says(/NDI SDK/);
  // Two seconds of its own time, however slow it is: its first row is open.
  const samples = readSamples(out('stopped')).length;
  await vi.waitFor(() => expect(readSamples(out('stopped')).length).toBeGreaterThan(samples + 4));
  command.signal('SIGINT');
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.aborted);
  const run = readStreamRun(out('stopped'));
  expect(run.state).toBe('aborted');
  expect(run.rows.map(({ label }) => label)).toEqual(['no receiver, no sender']);
  await command.leavesNothingBehind();
});

test.each([
  [['--max-receivers', '1'], /--max-receivers/],
  [['--source', '/nowhere/clip.mov'], /clip\.mov/],
])('%j is refused before anything starts', async (flags, message) => {
  const command = fanOut(out('refused'), ...flags);
  const { exitCode, errors } = await command.ended;
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(message);
  await command.leavesNothingBehind();
});
