import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import { wordsOf } from '../../facts/reason-words';
import { figureOf, numberOf } from '../../facts/row-figures';
import { exitCodes } from '../../protocol/errors';
import { WhitelineCommand } from '../../testing/command';
import { whiteline } from '../../testing/command-here';
import { TestRegistry } from '../../testing/nmos-registry';
import { temporaryFolder } from '../../testing/temporary-folder';
import { declarationOf } from '../find';

const patiently = { interval: 50 };
const folder = temporaryFolder();
/** No node is forgotten while a busy machine takes its time. */
const fast = ['--nodes', '12', '--heartbeat', '500ms', '--expiry', '10m', '--hold', '500ms'];

test('two registries, a break and the end of one: each figure is known or says why not', async () => {
  const out = join(folder, 'own');
  const parts = ['--registry-count', '2', '--breaks', '500ms', '--kill', '--crosspoints', '12'];
  const { errors } = await whiteline('run', 'nmos-scale', ...fast, ...parts, '--out', out);
  expect(errors).not.toContain('whiteline:');
  const { rows, state } = readRun(out);
  expect(state).toBe('finished');
  expect(rows.map(({ label }) => label)).toEqual([
    'registration of 12 nodes',
    'matrix by pages',
    'matrix by subscriptions',
    '12 crosspoints, single, 1 at a time',
    '12 crosspoints, single, 16 at a time',
    '12 crosspoints, bulk',
    '12 nodes after a break of 0.5 s',
    '12 nodes, one of two registries killed',
  ]);
  const { columns } = declarationOf('nmos-scale');
  const isOfController = ({ label }: { label: string }): boolean => /matrix|crosspoints/.test(label);
  for (const row of rows.filter(isOfController)) {
    expect(row.verdict, wordsOf(row.reason)).not.toBe('FAIL');
    expect(numberOf(row, 'nmos.allSeconds')).toBeGreaterThan(0);
  }
  for (const row of rows) {
    if (!isOfController(row)) {
      expect([row.label, numberOf(row, 'nmos.registered')]).toEqual([row.label, 12]);
      expect([row.label, numberOf(row, 'nmos.resources'), row.details]).toEqual([row.label, 72, row.details]);
    }
    for (const { metric } of columns)
      if (figureOf(row, metric) === null && !['nmos.breakSeconds', 'nmos.by'].includes(metric))
        expect(row.notMeasured[metric], `${row.label}: ${metric}`).toBeTruthy();
  }
});

test('a registry of others is used and left as it was; after a kill it forgets our nodes alone', async () => {
  const registry = await TestRegistry.start({ expirySeconds: 600 });
  const { node } = await registry.registerNode(1);
  const at = ['--registry', registry.origin];
  const out = join(folder, 'others');
  await whiteline('run', 'nmos-scale', ...fast, ...at, '--out', out);
  const [row] = readRun(out).rows;
  expect(row && [numberOf(row, 'nmos.resources'), numberOf(row, 'nmos.strangers')]).toEqual([72, 6]);
  expect(await registry.ids('nodes')).toEqual([node.id]);
  const killed = new WhitelineCommand([
    ...['run', 'nmos-scale', ...fast, ...at, '--hold', '60s', '--out', join(folder, 'killed')],
  ]);
  await vi.waitFor(async () => expect(await registry.ids('nodes')).toHaveLength(13), patiently);
  killed.signal('SIGKILL');
  await killed.leavesNothingBehind();
  // The registry answers in turn: after this, no heartbeat of those nodes comes any more.
  await killed.ended;
  await registry.ids('nodes');
  await registry.pass(400_000);
  await registry.post(`health/nodes/${node.id}`, undefined);
  await registry.pass(300_000);
  expect(await registry.ids('nodes')).toEqual([node.id]);
});

test('Ctrl-C while heartbeats go on keeps the row, and removes the nodes', async () => {
  const registry = await TestRegistry.start({ expirySeconds: 600 });
  const out = join(folder, 'stopped');
  const command = new WhitelineCommand([
    ...['run', 'nmos-scale', ...fast, '--registry', registry.origin, '--hold', '1h', '--out', out],
  ]);
  onTestFinished(() => command.signal('SIGKILL'));
  await vi.waitFor(() => expect(command.errors).toMatch(/12 registered/), { interval: 50 });
  command.signal('SIGINT');
  expect((await command.ended).exitCode).toBe(exitCodes.aborted);
  const [row] = readRun(out).rows;
  expect(row && numberOf(row, 'nmos.registered')).toBe(12);
  expect(row && wordsOf(row.reason)).toContain(
    'the resources in the registry could not be counted: the run was stopped before the count',
  );
  expect(await registry.ids('nodes')).toEqual([]);
});

test('a registry that does not answer is refused before anything runs', async () => {
  const { exitCode, errors } = await whiteline('run', 'nmos-scale', '--registry', 'http://127.0.0.1:1');
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toMatch(
    /The registry http:\/\/127\.0\.0\.1:1 does not answer: connection refused, nothing listens on that port/,
  );
});
