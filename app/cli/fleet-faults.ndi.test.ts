// @module-tag machine

import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { range } from '../testing/columns';
import type { WhitelineCommand } from '../testing/command';
import { capturedIn, FleetHere } from '../testing/fleet-here';
import { fleetRamp, givenUp, measuring, noHostOf } from '../testing/fleet-ramp';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

// What may happen to a console, an agent and the server between them in the middle of a row.

const folder = temporaryFolder();
const out = outputPaths(folder);

let fleet: FleetHere;
beforeEach(() => {
  fleet = new FleetHere(folder);
});
afterEach(() => fleet.close());

const ramp = (to: string, ...words: string[]): WhitelineCommand =>
  fleetRamp(fleet, to, ['--hold', '4s', '--invalid-retries', '0', ...words]);

test.each([
  ['receivers', ['--receive-on', 'render-1']],
  ['both ends', ['--send-on', 'render-1', '--receive-on', 'render-1']],
])('%s on another machine: counts equal the log that its agent keeps', async (name, words) => {
  await fleet.startServer();
  await fleet.startAgent('render-1');
  const to = out(name.replace(' ', '-'));
  await ramp(to, ...words, '--inject', 'skip:31-35; miss:60').ended;
  const [stream] = readStreamRun(to).rows.at(-1)?.perStream ?? [];
  const [first, last] = [stream?.firstFrame ?? 0, stream?.lastFrame ?? 0];
  expect(stream?.framesReceived).toBe(capturedIn(fleet.captureLog('render-1'), first, last));
  expect(stream?.droppedFrames).toEqual(expect.arrayContaining(range(first + 31, first + 35)));
  expect(stream?.missedFrames).toContain(first + 60);
  expect(stream?.conserved).toBe(true);
});

test('an agent that is killed in a row: the row is INVALID and says so, and the run ends', async () => {
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1');
  const to = out('killed-agent');
  const run = ramp(to, '--send-on', 'render-1', '--hold', '12s');
  await measuring(run);
  agent.signal('SIGKILL');
  const { errors, exitCode } = await run.ended;
  expect(errors).toContain('render-1 was given up: render-1 was not reachable for 5 s');
  const row = readStreamRun(to).rows.at(-1);
  expect(row?.verdict).toBe('INVALID');
  expect(row?.reason).toMatch(givenUp);
  expect(exitCode).toBe(exitCodes.invalid);
});

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  'by %s of an agent its stream hosts end by themselves',
  async (signal) => {
    await fleet.startServer();
    const agent = await fleet.startAgent('render-1');
    const run = ramp(out(`orphans-${signal}`), '--send-on', 'render-1', '--hold', '12s');
    await measuring(run);
    expect(agent.processes('streamhost')).toHaveLength(1);
    for (const id of agent.processes('cli.cjs agent')) process.kill(id, signal);
    await noHostOf(agent);
    expect((await run.ended).errors).toContain('render-1 was not reachable for 5 s');
  },
);

test('a console that is killed: what its agent started for it ends within the lease', async () => {
  await fleet.startServer();
  const agent = await fleet.startAgent('render-1');
  const run = ramp(out('killed-console'), '--send-on', 'render-1', '--hold', '8s');
  await measuring(run);
  run.signal('SIGKILL');
  await agent.says(/its console was not heard for 5 s/);
  await agent.says(/its console was not heard for 5 s/);
  await noHostOf(agent);
});

test('a bus that is gone for less than the lease costs nothing', async () => {
  const server = await fleet.startServer();
  await fleet.startAgent('render-1');
  const to = out('stopped-bus');
  const run = ramp(to, '--send-on', 'render-1', '--hold', '8s');
  await measuring(run);
  server.signal('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, 2000));
  server.signal('SIGCONT');
  await run.ended;
  const [stream] = readStreamRun(to).rows.at(-1)?.perStream ?? [];
  expect(stream).toMatchObject({ framesScheduled: 240, conserved: true });
});
