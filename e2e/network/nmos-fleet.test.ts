import { expect, test, vi } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { numberOf } from '../../app/facts/row-figures';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { fleetScene } from './fleet-scene';

// The registry on the console’s machine, its nodes on two others, each with network, host name and clock of its own. Real nats-server.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });

function scale(to: string, ...words: string[]): WhitelineCommand {
  return scene.whiteline(
    ...['run', 'nmos-scale', '--on', 'render-1,display-1', '--nodes', '41', '--out', to],
    ...['--heartbeat', '250ms', '--expiry', '30s', ...words],
  );
}

test('nodes of two machines register at a registry here, whose own count is theirs, and come back after a break', async () => {
  const to = scene.out('registered');
  const { errors } = await scale(to, '--hold', '1500ms', '--breaks', '1s').ended;
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

test('an agent that is killed: the row is INVALID by its name, and no node is left there', {
  tags: ['machine'],
}, async () => {
  const to = scene.out('killed');
  const run = scale(to, '--hold', '60s');
  await vi.waitFor(() => expect(run.output + run.errors).toMatch(/41 registered/), { timeout: 60_000 });
  scene.agents['render-1'].signal('SIGKILL');
  const { exitCode } = await run.ended;
  const [row] = readRun(to).rows;
  expect([row?.verdict, wordsOf(row?.reason ?? [])]).toEqual([
    'INVALID',
    expect.stringContaining('render-1'),
  ]);
  expect(exitCode).toBe(exitCodes.invalid);
  await vi.waitFor(() => expect(scene.agents['render-1'].processes('nmos-programs')).toEqual([]), {
    timeout: 30_000,
  });
});
