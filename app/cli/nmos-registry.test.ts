import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { errorsBesideBusy } from '../testing/busy-lines';
import { freePort } from '../testing/cable';
import { WhitelineCommand } from '../testing/command';
import { CommandHere, untilTestEnds, whiteline } from '../testing/command-here';
import type { CommandOutput } from '../testing/command-output';
import { ask } from '../testing/http-client';
import { nmosId, nmosNode, nmosTypes } from '../testing/nmos-resources';
import { temporaryFolder } from '../testing/temporary-folder';

const temporary = temporaryFolder();

const quietly = ['nmos', 'registry', '--port', '0', '--no-announce'];

async function start(...flags: string[]): Promise<{ command: CommandHere; origin: string }> {
  const command = untilTestEnds(new CommandHere([...quietly, ...flags]));
  return { command, origin: await originOf(command) };
}

async function originOf(command: CommandOutput): Promise<string> {
  await command.says(/Ctrl-C|origins/);
  const [origin = ''] = /http:\/\/[\d.:]+/.exec(command.output) ?? [];
  return origin;
}

describe('whiteline nmos registry', () => {
  test('serves its APIs until Ctrl-C, and ends clean with clients connected', async () => {
    const { command, origin } = await start('--heartbeat', '4s', '--ptp-domain', '5');
    expect((await ask(`${origin}/x-nmos`)).body).toEqual(['query/', 'registration/', 'system/']);
    const { body } = await ask(`${origin}/x-nmos/system/v1.0/global`);
    expect(body).toMatchObject({ is04: { heartbeat_interval: 4 }, ptp: { domain_number: 5 } });
    expect(command.output).toContain(`Registration API  ${origin}/x-nmos/registration/`);
    command.signal('SIGINT');
    const { exitCode, errors } = await command.ended;
    expect([exitCode, errorsBesideBusy(errors)]).toEqual([exitCodes.pass, '']);
  });

  test('with --json it prints its addresses as one object', async () => {
    const { command, origin } = await start('--json', '--listen', '127.0.0.1', '127.0.0.2');
    expect(JSON.parse(command.output)).toEqual({ origins: [origin, origin.replace('0.0.1', '0.0.2')] });
  });

  test('a refused request is a line on standard error', async () => {
    const { command, origin } = await start();
    await ask(`${origin}/x-nmos/registration/v1.3/resource`, {
      method: 'POST',
      json: { type: 'node', data: {} },
    });
    await command.warns(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z POST \/x-nmos.* from 127\.0\.0\.1: 400 .*data\/id/);
  });

  test('a port that is in use is named, with the remedy', async () => {
    const { origin } = await start();
    const { port } = new URL(origin);
    const { exitCode, errors } = await whiteline('nmos', 'registry', '--port', port);
    expect(errors).toBe(
      `whiteline: Cannot listen on port ${port} of 127.0.0.1: the port is in use. Give another port; 0 picks a free port\n`,
    );
    expect(exitCode).toBe(exitCodes.badInput);
  });

  test.each([
    [['--peer', 'https://192.0.2.8'], 'for --peer but received https://192.0.2.8'],
    [['--snapshot', ''], 'for --snapshot but received nothing'],
    [['--announced-priority', 'x'], 'for --announced-priority but received x'],
    [['--port', '70000'], 'for --port but received 70000'],
    [['--listen', '192.0.2.1'], 'for --listen but received 192.0.2.1'],
    [['--listen', 'localhost'], 'for --listen but received localhost'],
    [['--expiry', '5s'], 'for --expiry but received 5s'],
    [
      ['--heartbeat', '20s'],
      'Expected less than --expiry, which is 12s, for --heartbeat but received 20s. Give an --expiry of more than 20s too',
    ],
    [['--heartbeat', '20s', '--expiry', '20s'], 'for --expiry but received 20s'],
    [['--heartbeat', '1500ms'], 'for --heartbeat but received 1500ms'],
    [['--ptp-domain', '128'], 'for --ptp-domain but received 128'],
  ])('%o is refused by its flag', async (flags, words) => {
    const { exitCode, errors } = await whiteline('nmos', 'registry', ...flags);
    expect([exitCode, errors]).toEqual([exitCodes.badInput, expect.stringContaining(words)]);
  });

  test('a snapshot that cannot be written is named', async () => {
    const { exitCode, errors } = await whiteline(
      'nmos',
      'registry',
      '--port',
      '0',
      '--snapshot',
      '/none/file',
    );
    expect(errors).toContain('The snapshot /none/file cannot be used: ENOENT');
    expect(exitCode).toBe(exitCodes.environment);
  });

  test('kill -9 loses no resource that was written, and a restart no node', async () => {
    const file = join(temporary, 'snapshot');
    // No node expires meanwhile, however long it takes.
    const kept = [...quietly, '--snapshot', file, '--expiry', '1h'];
    const first = new WhitelineCommand(kept);
    onTestFinished(() => first.signal('SIGKILL'));
    const origin = await originOf(first);
    const register = async (type: string, data: unknown): Promise<number> => {
      const url = `${origin}/x-nmos/registration/v1.3/resource`;
      return (await ask(url, { method: 'POST', json: { type, data } })).status;
    };
    for (let number = 0; number < 50; number++)
      for (const type of nmosTypes) expect(await register(type, nmosNode(number)[type])).toBe(201);
    const isWritten = (): boolean => readFileSync(file, 'utf8').split('\n').length > 50 * nmosTypes.length;
    // Something is written at the moment of the kill too.
    for (let [number, more] = [50, 50]; more > 0; number++) {
      await register('node', nmosNode(number).node);
      if (isWritten()) more -= 1;
    }
    first.signal('SIGKILL');
    await first.ended;

    const second = new WhitelineCommand(kept);
    onTestFinished(() => second.signal('SIGKILL'));
    const query = `${await originOf(second)}/x-nmos/query/v1.3`;
    const nodes = (await ask(`${query}/nodes?paging.limit=10000`)).body as { id: string }[];
    const ids = new Set(nodes.map(({ id }) => id));
    for (let number = 0; number < 50; number++) expect(ids).toContain(nmosId(0, number));
    for (const type of nmosTypes.slice(1)) expect((await ask(`${query}/${type}s`)).body).toHaveLength(50);
    await second.warns(/resources of \d+ nodes read/);
    expect(second.errors).not.toMatch(/could not be read; the first is line ([1-9]|[1-9]\d|[12]\d\d|300):/);
    second.signal('SIGINT');
    expect((await second.ended).exitCode).toBe(exitCodes.pass);
  });

  test('two registries share what they hold', async () => {
    const port = await freePort();
    const one = await start('--peer', `http://127.0.0.1:${port}`);
    const other = await start('--port', String(port), '--peer', one.origin);
    const { node } = nmosNode(1);
    const url = `${one.origin}/x-nmos/registration/v1.3/resource`;
    expect((await ask(url, { method: 'POST', json: { type: 'node', data: node } })).status).toBe(201);
    await vi.waitFor(
      async () => expect((await ask(`${other.origin}/x-nmos/query/v1.3/nodes`)).body).toEqual([node]),
      { timeout: 60_000 },
    );
    one.command.signal('SIGINT');
    await other.command.warns(/peer .* not replicating: /);
    other.command.signal('SIGINT');
    expect(await other.command.ended).toMatchObject({ exitCode: exitCodes.pass });
  });

  test('help names the command', async () => {
    expect((await whiteline('--help')).output).toMatch(/nmos\s+.*NMOS/);
    expect((await whiteline('nmos', '--help')).output).toMatch(/registry/);
  });
});
