// @module-tag machine

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readEvents } from '../engine/sessions/read-run';
import { exitCodes } from '../protocol/errors';
import type { WhitelineCommand } from '../testing/command';
import { FleetHere } from '../testing/fleet-here';
import { fleetRamp, givenUp, measuring, noHostOf } from '../testing/fleet-ramp';
import { readStreamRun } from '../testing/named-rows';
import { selfSigned } from '../testing/self-signed';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

// What is gone for good in the middle of a row, and what is refused before one: always by name, and no sender is left.

const folder = temporaryFolder();
const out = outputPaths(folder);

let fleet: FleetHere;
beforeEach(() => {
  fleet = new FleetHere(folder);
});
afterEach(() => fleet.close());

const ramp = (to: string, ...words: string[]): WhitelineCommand =>
  fleetRamp(fleet, to, ['--hold', '2s', ...words]);

async function endedWithoutReach(run: WhitelineCommand, to: string): Promise<void> {
  const { exitCode } = await run.ended;
  expect(exitCode).toBe(exitCodes.invalid);
  const { rows } = readStreamRun(to);
  // The machine without a stream was measured before, and nothing after the row in which it happened.
  const [row, ...others] = rows.filter(({ streams }) => streams === 1);
  expect([row?.verdict, others]).toEqual(['INVALID', []]);
  expect(row?.reason).toMatch(givenUp);
}

test.each(['--send-on', '--receive-on'])(
  'a bus that stands still for longer than the lease: the row is INVALID, and the fleet goes on (%s)',
  async (flag) => {
    const server = await fleet.startServer();
    const agent = await fleet.startAgent('render-1');
    const to = out(`stopped-bus${flag}`);
    const run = ramp(to, flag, 'render-1', '--hold', '14s');
    await measuring(run);
    server.signal('SIGSTOP');
    for (const id of server.processes('nats-server')) process.kill(id, 'SIGSTOP');
    await agent.says(/its console was not heard for 5 s/);
    await endedWithoutReach(run, to);
    await noHostOf(agent);
    for (const id of server.processes('nats-server')) process.kill(id, 'SIGCONT');
    server.signal('SIGCONT');
    await agent.says(/Connected to the fleet again/);
    const again = out(`again${flag}`);
    await ramp(again, flag, 'render-1').ended;
    expect(readStreamRun(again).rows.at(-1)?.perStream[0]).toMatchObject({ conserved: true });
    await noHostOf(agent);
  },
);

test('a bus that is killed: the row is INVALID, and each end of it ends', async () => {
  const server = await fleet.startServer();
  const agent = await fleet.startAgent('render-1');
  const to = out('killed-bus');
  const run = ramp(to, '--send-on', 'render-1', '--hold', '14s');
  await measuring(run);
  for (const id of server.processes('nats-server')) process.kill(id, 'SIGKILL');
  await endedWithoutReach(run, to);
  await agent.says(/its console was not heard for 5 s/);
  await noHostOf(agent);
  await run.leavesNothingBehind();
});

test('a second console is told who has the machine, and a second agent with its join file where the first one is', async () => {
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1');
  const first = ramp(out('first'), '--send-on', 'render-1', '--hold', '14s');
  await measuring(first);
  const { errors, exitCode } = await ramp(out('second'), '--send-on', 'render-1').ended;
  expect(errors).toMatch(/render-1 works for .+, process \d+, for at least another \d\.\d s/);
  expect(exitCode).not.toBe(exitCodes.pass);
  // The same join file again, as on another machine.
  const twin = await fleet.whiteline(['agent', fleet.joinFile('render-1')]).ended;
  expect(twin.errors).toMatch(/render-1 is connected already: an agent with its join file is ready on /);
  expect(twin.exitCode).toBe(exitCodes.badInput);
  await agent.warns(/A second agent with this join file was refused/);
  await first.ended;
  const [stream] = readStreamRun(out('first')).rows.at(-1)?.perStream ?? [];
  expect(stream?.conserved).toBe(true);
  await noHostOf(agent);
});

test('a movie that its machine does not have is refused before the run has a folder', async () => {
  await fleet.startServer();
  await fleet.startAgent('render-1');
  const to = out('mistyped');
  const { errors, exitCode } = await ramp(to, '--send-on', 'render-1', '--source', 'opning.mov').ended;
  expect(errors).toContain('render-1 has no movie opning.mov');
  expect([exitCode, existsSync(to)]).toEqual([exitCodes.badInput, false]);
});

test('an agent with a wrong secret, or another authority, says what to do', async () => {
  await fleet.startServer();
  await fleet.startAgent('render-1');
  const invited = JSON.parse(readFileSync(fleet.joinFile('render-1'), 'utf8'));
  const cases: [string, object, RegExp][] = [
    ['secret', { secret: 'x'.repeat(43) }, /does not accept the name and the secret of the join file/],
    ['authority', { certificateAuthority: selfSigned.cert }, /the authority of the join file has not signed/],
  ];
  for (const [name, change, words] of cases) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ ...invited, ...change }));
    const { errors, exitCode } = await fleet.whiteline(['agent', file]).ended;
    expect(errors).toMatch(words);
    expect(errors).toContain('whiteline fleet invite');
    expect(exitCode).toBe(exitCodes.environment);
  }
});

test('an agent without NDI says so, and so does what is to be measured there', async () => {
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1', ['env', 'WHITELINE_NDI_PATH=/nonexistent']);
  await agent.warns(/NDI does not run on this machine: .*\/nonexistent/);
  for (const flag of ['--send-on', '--receive-on']) {
    const { errors, exitCode } = await ramp(out(`no-ndi${flag}`), flag, 'render-1').ended;
    expect(errors).toMatch(/render-1: .*\/nonexistent/);
    expect(exitCode).toBe(exitCodes.environment);
  }
  await noHostOf(agent);
});

test('a disk that is full there, where logs are to be written: it is said with the name of the machine', async () => {
  const disk = join(folder, 'disk-there');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,nr_inodes=1', 'tmpfs', disk]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]));
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1');
  agent.signal('SIGKILL');
  await agent.ended;
  await fleet.runAgent('render-1', disk);
  const { errors, exitCode } = await ramp(out('full'), '--receive-on', 'render-1').ended;
  expect(errors).toMatch(/render-1: The disk of .+ is full/);
  expect(exitCode).toBe(exitCodes.environment);
});

test('a disk of logs that fills up there in the middle of a row: frames are counted on, and the run says what the log lacks', async () => {
  const disk = join(folder, 'filling-disk-there');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]));
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1');
  agent.signal('SIGKILL');
  await agent.ended;
  await fleet.runAgent('render-1', disk);
  const to = out('filled');
  const run = ramp(to, '--receive-on', 'render-1', '--capture-logs', '--hold', '10s');
  await measuring(run);
  expect(() => writeFileSync(join(disk, 'filling'), Buffer.alloc(2 ** 17))).toThrow(/ENOSPC/);
  await run.ended;
  const problems = readEvents(to).filter(({ kind }) => kind === 'problem');
  expect(problems.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^The log of .+ \(stream 1\) on render-1 lacks \d+ captured frames?: No space left/,
    ),
    expect.stringMatching(
      /^The log of .+ \(stream 1\) on render-1 lacks \d+ captured frames in all: No space/,
    ),
  ]);
  const [stream] = readStreamRun(to).rows.at(-1)?.perStream ?? [];
  expect(stream?.conserved).toBe(true);
  expect(stream?.framesReceived).toBeGreaterThan(0);
  // What there is of it came.
  const [ofLease = ''] = readdirSync(disk).filter((name) => name !== 'filling');
  const there = readFileSync(join(disk, ofLease, 'captured-1.log'), 'latin1');
  expect(readFileSync(join(to, 'captured-1-on-render-1.log'), 'latin1')).toBe(there);
});
