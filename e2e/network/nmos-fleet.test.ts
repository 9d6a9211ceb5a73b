import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { numberOf } from '../../app/facts/row-figures';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { FleetHere } from '../../app/testing/fleet-here';
import { outputPaths, temporaryFolder } from '../../app/testing/temporary-folder';
import { withoutBus } from './network';
import { consoleAddress, SiteNetwork } from './site-network';

// The registry on the console’s machine, its nodes on two others, each with network, host name and clock of its own. Real nats-server.

const folder = temporaryFolder();
const out = outputPaths(folder);

let site: SiteNetwork;
let fleet: FleetHere;
let render: WhitelineCommand;
beforeAll(async () => {
  site = await SiteNetwork.create();
  fleet = new FleetHere(folder, {
    ...{ address: consoleAddress, inside: site.console.inside, environment: withoutBus },
  });
  await fleet.startServer();
  render = await fleet.startAgent('render-1', site.inside('render-1'));
  await fleet.startAgent('display-1', site.inside('display-1'));
});
afterAll(() => {
  fleet.close();
  site.close();
});

function scale(to: string, ...words: string[]): WhitelineCommand {
  return fleet.whiteline([
    ...['run', 'nmos-scale', '--on', 'render-1,display-1', '--nodes', '41', '--out', to],
    ...['--heartbeat', '500ms', '--expiry', '30s', ...words],
  ]);
}

test('nodes of two machines register at a registry here, whose own count is theirs, and come back after a break', async () => {
  const to = out('registered');
  const { errors } = await scale(to, '--hold', '3s', '--breaks', '1s').ended;
  const { rows, environment } = readRun(to);
  expect(environment.topology).toBe('nodes on render-1, display-1; the registry on this machine');
  expect(
    rows.map(({ label }) => label),
    errors,
  ).toEqual([...['registration of 41 nodes', '41 nodes after a break of 1 s']]);
  for (const row of rows) {
    const { subjects } = row;
    expect(subjects.map(({ name }) => name)).toEqual(['render-1', 'display-1']);
    expect(subjects.map((one) => numberOf(one, 'nmos.nodes'))).toEqual([21, 20]);
    for (const id of ['nmos.registered', 'nmos.heartbeats', 'nmos.requests'])
      expect(subjects.reduce((sum, one) => sum + (numberOf(one, id) ?? Number.NaN), 0)).toBe(
        numberOf(row, id),
      );
    expect(['nmos.resources', 'nmos.resourcesLost'].map((id) => numberOf(row, id))).toEqual([246, 0]);
    // Their clocks are a day ahead.
    expect(numberOf(row, 'nmos.allSeconds')).toBeLessThan(60);
  }
  // A break may be too short for a load sample of its own.
  for (const { figures, notMeasured } of rows[0]?.subjects ?? [])
    expect(figures['nmos.nodesMemoryMb'] ?? notMeasured).toEqual(expect.any(Number));
  expect(numberOf(rows[0] ?? { figures: {} }, 'nmos.heartbeats')).toBeGreaterThanOrEqual(41 * 5);
});

test('an agent that is killed: the row is INVALID by its name, and no node is left there', async () => {
  const to = out('killed');
  const run = scale(to, '--hold', '60s');
  await vi.waitFor(() => expect(run.output + run.errors).toMatch(/41 registered/), { timeout: 60_000 });
  render.signal('SIGKILL');
  const { exitCode } = await run.ended;
  const [row] = readRun(to).rows;
  expect([row?.verdict, wordsOf(row?.reason ?? [])]).toEqual([
    'INVALID',
    expect.stringContaining('render-1'),
  ]);
  expect(exitCode).toBe(exitCodes.invalid);
  await vi.waitFor(() => expect(render.processes('nmos-programs')).toEqual([]), { timeout: 30_000 });
});

test('a machine that is not there is named before anything runs', async () => {
  const { exitCode, errors } = await fleet.whiteline(['run', 'nmos-scale', '--on', 'render-9']).ended;
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(/a machine whose agent is connected for .*on but received render-9/);
});
