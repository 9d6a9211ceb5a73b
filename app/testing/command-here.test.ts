import { expect, test, vi } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { CommandHere, untilTestEnds, whiteline } from './command-here';
import { ask } from './http-client';

const registry = ['nmos', 'registry', '--port', '0', '--no-announce'];
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'exit'] as const;

function start(...flags: string[]): CommandHere {
  return untilTestEnds(new CommandHere([...registry, ...flags]));
}

test('of two commands at the same time each has its own output, its own Ctrl-C and its own end', async () => {
  const [one, other] = [start('--json'), start()];
  await Promise.all([one.says(/origins/), other.says(/Ctrl-C/)]);
  const [origin] = (JSON.parse(one.output) as { origins: string[] }).origins;
  expect(other.output).not.toContain(origin);
  // A request is answered long after the command began: what is said of it belongs to the same command.
  await ask(`${origin}/x-nmos/registration/v1.3/resource`, { method: 'POST', json: {} });
  await one.warns(/POST \/x-nmos.* from 127\.0\.0\.1: 400 /);
  expect(other.errors).toBe('');
  one.signal('SIGINT');
  expect(await one.ended).toMatchObject({ exitCode: exitCodes.pass });
  other.signal('SIGTERM');
  expect(await other.ended).toMatchObject({ exitCode: exitCodes.pass, errors: '' });
});

test('a command leaves nothing in its process: no output, exit code, listener or variable', async () => {
  const listeners = (): number[] => signals.map((name) => process.listenerCount(name));
  const writes = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const before = { listeners: listeners(), exitCode: process.exitCode, environment: { ...process.env } };
  const command = start();
  await command.says(/Ctrl-C/);
  command.signal('SIGHUP');
  await command.ended;
  const refused = await new CommandHere(['runs', '--limit', 'x'], { WHITELINE_RUNS: '/mine' }).ended;
  const helped = await whiteline('runs', '--help');
  const said = writes.flatMap(({ mock }) => mock.calls);
  for (const write of writes) write.mockRestore();
  expect([refused.exitCode, helped.exitCode]).toEqual([exitCodes.badInput, exitCodes.pass]);
  expect(refused.errors).toContain('--limit but received x');
  expect(helped.output).toContain('--limit');
  expect(said).toEqual([]);
  expect({
    ...{ listeners: listeners(), exitCode: process.exitCode, environment: { ...process.env } },
  }).toEqual(before);
});

test('a command that has an environment of its own is alone', async () => {
  const command = start();
  await command.says(/Ctrl-C/);
  await expect(new CommandHere(['runs'], { WHITELINE_RUNS: '/mine' }).ended).rejects.toThrow(
    'an environment of its own',
  );
  expect((await whiteline('runs', '--limit', 'x')).exitCode).toBe(exitCodes.badInput);
});
