// @module-tag machine

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readSamples } from '../../engine/sessions/read-run';
import { exitCodes } from '../../protocol/errors';
import { uniqueName, WhitelineCommand } from '../../testing/command';
import { readStreamRun } from '../../testing/named-rows';
import { outputPaths, temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
const out = outputPaths(folder);

/** Of each command, the folder in which it may leave nothing. */
const scratchOf = new Map<WhitelineCommand, string>();

function compare(to: string, flags: string[] = []): WhitelineCommand {
  const scratch = `${to}-scratch`;
  mkdirSync(scratch);
  const words = [
    ...['run', 'transport', '--format', '640x360@30', '--max-streams', '1', '--name', uniqueName()],
    ...['--hold', '1500ms', '--warm-up', '500ms', '--out', to, ...flags],
    ...(flags.includes('--transports') ? [] : ['--transports', 'rudp,tcp']),
  ];
  const command = new WhitelineCommand(words, { TMPDIR: scratch });
  scratchOf.set(command, scratch);
  return command;
}

/** Neither a process nor an NDI configuration; libndi itself leaves empty lock files, named NTK. */
async function leavesNothing(command: WhitelineCommand): Promise<void> {
  await command.leavesNothingBehind();
  const left = readdirSync(scratchOf.get(command) ?? '').filter((name) => !name.startsWith('NTK_'));
  expect(left).toEqual([]);
}

test('each transport has processes of its own, and their sockets show what was asked for', async () => {
  const command = compare(out('both'));
  const { output } = await command.ended;
  const run = readStreamRun(out('both'));
  expect(run.state).toBe('finished');
  expect(run.rows.map(({ label }) => label)).toEqual(['no stream', 'rudp: 1 stream', 'tcp: 1 stream']);
  for (const row of run.rows.slice(1)) {
    const asked = row.label.split(':')[0];
    expect(row.values).toMatchObject({ 'transport.asked': asked, 'transport.seen': asked });
    expect(row.values['transport.runtime']).toMatch(/\d+\.\d+/);
    expect(row.reason).not.toContain('was asked for');
    expect(row.conserved).toBe(true);
    expect(row.framesReceived).toBeGreaterThan(0);
  }
  const [, rudp, tcp] = run.rows;
  expect(rudp?.values['transport.udpSockets']).toBeGreaterThan(0);
  expect(tcp?.values['transport.udpSockets']).toBe(0);
  expect(tcp?.values['transport.tcpMbps']).toBeGreaterThan(1);
  // The same pictures, over UDP counted at its ports, which only root may do.
  if (process.getuid?.() === 0 && rudp?.bitrateMbps !== null)
    expect((rudp?.bitrateMbps ?? 0) / (tcp?.bitrateMbps ?? 1)).toBeCloseTo(1, 0);
  else expect(rudp?.notMeasured.bitrateMbps).toMatch(/only root|a UDP socket was opened/);
  expect(output).toContain(run.reason);
  await leavesNothing(command);
});

test('multicast does not go over loopback: its row says what was seen instead, and is INVALID', async () => {
  const command = compare(out('multicast'), ['--transports', 'multicast', '--max-streams', '2']);
  const { exitCode } = await command.ended;
  expect(exitCode).toBe(exitCodes.invalid);
  const { rows, verdict, reason } = readStreamRun(out('multicast'));
  // One row is enough to know.
  expect(rows.map(({ label }) => label)).toEqual(['no stream', 'multicast: 1 stream']);
  expect(rows[1]).toMatchObject({
    verdict: 'INVALID',
    values: { 'transport.asked': 'multicast', 'transport.seen': 'single-tcp' },
    reason: expect.stringMatching(/^multicast was asked for, single-tcp was seen: \d/),
  });
  expect([verdict, reason]).toEqual(['INVALID', expect.stringContaining('single-tcp was seen')]);
  await leavesNothing(command);
});

test('a runtime that is not there is refused before anything starts', async () => {
  const command = compare(out('missing'), ['--runtimes', '/nowhere/libndi.so.6']);
  const { exitCode, errors } = await command.ended;
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(
    /Expected the path of an NDI library for --runtimes but received .*\/nowhere\/libndi\.so\.6/,
  );
  await leavesNothing(command);
});

test('a runtime that is none ends the run, and says so', async () => {
  const library = join(folder, 'libnothing.so');
  writeFileSync(library, 'not a library');
  const command = compare(out('none'), ['--runtimes', library]);
  const { exitCode, errors } = await command.ended;
  expect(exitCode).toBe(exitCodes.environment);
  expect(errors).toContain(library);
  expect(readStreamRun(out('none')).state).toBe('failed');
  await leavesNothing(command);
});

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s in the middle leaves neither processes nor configurations',
  async (name) => {
    const command = compare(out(name), ['--hold', '20s']);
    await command.says(/NDI SDK/);
    await vi.waitFor(() => expect(command.processes('streamhost.cjs')).toHaveLength(2));
    // Two seconds and a half of its own time, however slow it is: its first row is open.
    const samples = readSamples(out(name)).length;
    await vi.waitFor(() => expect(readSamples(out(name)).length).toBeGreaterThan(samples + 5));
    command.signal(name);
    await command.ended;
    const run = readStreamRun(out(name));
    expect(run.state).toBe(name === 'SIGINT' ? 'aborted' : 'interrupted');
    expect(run.rows.map(({ label }) => label)).toEqual(name === 'SIGINT' ? ['no stream'] : []);
    await leavesNothing(command);
  },
);
