// @module-tag machine

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { killAll, type WhitelineCommand } from '../testing/command';
import { FleetHere } from '../testing/fleet-here';
import { fleetRamp, givenUp, measuring } from '../testing/fleet-ramp';
import { readStreamRun } from '../testing/named-rows';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';

// A fleet with two servers at two addresses of this machine. The console is at the second one, and the agent begins at the first one, which
// runs alone then.

const folder = temporaryFolder();
const out = outputPaths(folder);
const port = String(61_000 + (process.pid % 2500));

let fleet: FleetHere;
let first: WhitelineCommand;
let second: WhitelineCommand;
let agent: WhitelineCommand;

beforeEach(async () => {
  fleet = new FleetHere(folder);
  const copy = join(fleet.ownFolder, '../first');
  const servers = ['--servers', '127.0.0.1,127.0.0.2'];
  first = fleet.whiteline([
    'fleet',
    'start',
    '--folder',
    copy,
    '--listen',
    '127.0.0.1',
    '--port',
    port,
    ...servers,
  ]);
  await first.says(/Ctrl-C ends it/);
  const file = fleet.joinFile('render-1');
  await fleet.whiteline(['fleet', 'invite', 'render-1', '--folder', copy, '--output', file]).ended;
  agent = await fleet.runAgent('render-1', join(folder, 'logs'));
  cpSync(copy, fleet.ownFolder, { recursive: true });
  second = fleet.whiteline(['fleet', 'start', '--listen', '127.0.0.2']);
  await second.says(/This is one of its 2 servers/);
});
afterEach(() => fleet.close());

const killServer = (command: WhitelineCommand): void => killAll(command.processes('nats-server'));

test('the server of the agent is killed in a row: the run goes on by the other one and loses nothing; that one too, and the run ends', async () => {
  const to = out('one-killed');
  const run = fleetRamp(fleet, to, ['--send-on', 'render-1', '--hold', '8s', '--invalid-retries', '0']);
  await measuring(run);
  killServer(first);
  await agent.says(/Connected to the fleet again/);
  await run.ended;
  const row = readStreamRun(to).rows.at(-1);
  expect(row?.perStream[0]).toMatchObject({ framesScheduled: 240, framesDropped: 0, conserved: true });
  expect(row?.verdict).toBe('PASS');

  const later = out('both-killed');
  const next = fleetRamp(fleet, later, ['--send-on', 'render-1', '--hold', '14s', '--invalid-retries', '0']);
  await measuring(next);
  killServer(second);
  expect((await next.ended).exitCode).toBe(exitCodes.invalid);
  expect(readStreamRun(later).rows.at(-1)).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(givenUp),
  });
});
