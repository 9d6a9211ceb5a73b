import { expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand } from '../testing/command';
import { CommandHere, untilTestEnds, whiteline } from '../testing/command-here';
import { TestRegistry } from '../testing/nmos-registry';

const load = ['nmos', 'load'];

// A load that was held up for a second is INVALID.
test('whiteline nmos load registers, holds and removes nodes, and passes', { tags: 'machine' }, async () => {
  const registry = await TestRegistry.start();
  const flags = ['--registry', registry.origin, '--nodes', '5', '--heartbeat', '0.2s', '--hold', '1s'];
  const { exitCode, output, errors } = await new WhitelineCommand([...load, ...flags]).ended;
  expect({ exitCode, errors }).toEqual({ exitCode: exitCodes.pass, errors: '' });
  expect(output).toContain(`5 nodes with 6 resources each, a connection each, at ${registry.origin}`);
  expect(output).toMatch(
    /5 of 5 registered: first after [\d.]+ s, p50 [\d.]+ s, p99 [\d.]+ s, last [\d.]+ s/,
  );
  expect(output).toMatch(
    /PASS: 5 nodes with 6 resources each registered in [\d.]+ s; \d+ heartbeats, none missed/,
  );
  expect(await registry.ids('nodes')).toEqual([]);
});

test('with --json it prints all figures, and those of the removal', { tags: 'machine' }, async () => {
  const registry = await TestRegistry.start();
  const flags = ['--registry', registry.origin, '--nodes', '5', '--connections', '2', '--json'];
  const { exitCode, output } = await new WhitelineCommand([...load, ...flags]).ended;
  expect(exitCode).toBe(exitCodes.pass);
  expect(JSON.parse(output)).toMatchObject({
    ...{ nodes: 5, registered: 5, failures: 0, refused: 0, heartbeatsMissed: 0, verdict: 'PASS' },
    answers: { registration: { 201: 30 }, removal: { 204: 30 } },
  });
});

// On a machine that other programs fill it is INVALID.
test('a registry that is not there is a FAIL with its reason', async () => {
  const flags = ['--registry', 'http://127.0.0.1:1', '--nodes', '2', '--wait', '0.5s', '--heartbeat', '5s'];
  const { exitCode, output, errors } = await whiteline(...load, ...flags);
  expect([exitCodes.fail, exitCodes.invalid]).toContain(exitCode);
  expect(output).toMatch(/(FAIL|INVALID): .*0 of 2 nodes registered/);
  expect(errors).toContain(
    'The registry http://127.0.0.1:1 failed: connection refused, nothing listens on that port',
  );
});

test('Ctrl-C removes what is registered', async () => {
  const registry = await TestRegistry.start();
  const flags = ['--registry', registry.origin, '--nodes', '5', '--hold', '1h'];
  const command = untilTestEnds(new CommandHere([...load, ...flags]));
  await command.says(/5 of 5 registered:/);
  expect(await registry.ids('nodes')).toHaveLength(5);
  command.signal('SIGINT');
  expect((await command.ended).exitCode).toBe(exitCodes.aborted);
  expect(await registry.ids('nodes')).toEqual([]);
});

test.each([
  [['--nodes', '0'], 'Expected a whole number from 1 to 100000 for --nodes but received 0'],
  [
    ['--connections', 'many'],
    'Expected per-node, or a whole number from 1 to 1000, for --connections but received many',
  ],
  [['--connections', '4', '--ramp', '1s'], 'Expected no ramp with shared connections for --ramp'],
  [
    ['--heartbeat', '14s'],
    'Expected more than 14 s, the time between two heartbeats, for expiry but received 12s',
  ],
  [['--run', ''], 'Expected a name for --run'],
  [['http://127.0.0.1:1/'], 'Expected each registry once for --registry but received http://127.0.0.1:1'],
  [['--hold', '2d'], 'Expected a duration for --hold but received 2d'],
  [['--dns-sd-retry', '0s'], 'Expected from 0.1s to 600s for --dns-sd-retry but received 0s'],
])('%j is refused', async (flags, sentence) => {
  const { exitCode, errors } = await whiteline(...load, '--registry', 'http://127.0.0.1:1', ...flags);
  expect(exitCode).toBe(exitCodes.badInput);
  expect(errors).toContain(sentence);
});
