import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { WhitelineCommand, whiteline } from '../testing/command';
import { ask } from '../testing/http-client';

vi.setConfig({ testTimeout: 60_000 });

async function start(...flags: string[]): Promise<{ command: WhitelineCommand; origin: string }> {
  const command = new WhitelineCommand(['nmos', 'registry', '--port', '0', ...flags]);
  onTestFinished(() => command.signal('SIGKILL'));
  await command.says(/Ctrl-C|origins/);
  const [origin = ''] = /http:\/\/[\d.:]+/.exec(command.output) ?? [];
  return { command, origin };
}

describe('whiteline nmos registry', () => {
  test('serves its APIs until Ctrl-C, and ends clean with clients connected', async () => {
    const { command, origin } = await start('--heartbeat', '4s', '--ptp-domain', '5');
    expect((await ask(`${origin}/x-nmos`)).body).toEqual(['query/', 'registration/', 'system/']);
    const { body } = await ask(`${origin}/x-nmos/system/v1.0/global`);
    expect(body).toMatchObject({ is04: { heartbeat_interval: 4 }, ptp: { domain_number: 5 } });
    expect(command.output).toContain(`Registration API  ${origin}/x-nmos/registration/`);
    command.signal('SIGINT');
    expect(await command.ended).toMatchObject({ exitCode: exitCodes.pass, errors: '' });
  });

  test('with --json it prints its addresses as one object', async () => {
    const { command, origin } = await start('--json', '--host', '127.0.0.1', '127.0.0.2');
    expect(JSON.parse(command.output)).toEqual({ origins: [origin, origin.replace('0.0.1', '0.0.2')] });
  });

  test('a refused request is a line on standard error', async () => {
    const { command, origin } = await start();
    await ask(`${origin}/x-nmos/registration/v1.3/resource`, {
      method: 'POST',
      json: { type: 'node', data: {} },
    });
    await vi.waitFor(() =>
      expect(command.errors).toMatch(/^POST \/x-nmos.* from 127\.0\.0\.1: 400 .*data\/id/),
    );
  });

  test('a port that is in use is named, with the remedy', async () => {
    const { origin } = await start();
    const { port } = new URL(origin);
    const { exitCode, errors } = await whiteline('nmos', 'registry', '--port', port);
    expect(errors).toBe(
      `whiteline: Port ${port} of 127.0.0.1 cannot be listened on: it is in use. Give another port; 0 takes one that is free\n`,
    );
    expect(exitCode).toBe(exitCodes.badInput);
  });

  test.each([
    [['--port', '70000'], 'for --port but received 70000'],
    [['--host', '192.0.2.1'], 'for --host but received 192.0.2.1'],
    [['--host', 'localhost'], 'for --host but received localhost'],
    [['--expiry', '5s'], 'for --expiry but received 5s'],
    [['--heartbeat', '1500ms'], 'for --heartbeat but received 1500ms'],
    [['--ptp-domain', '128'], 'for --ptp-domain but received 128'],
  ])('%o is refused by its flag', async (flags, words) => {
    const { exitCode, errors } = await whiteline('nmos', 'registry', ...flags);
    expect([exitCode, errors]).toEqual([exitCodes.badInput, expect.stringContaining(words)]);
  });

  test('help names the command', async () => {
    expect((await whiteline('--help')).output).toMatch(/nmos\s+.*NMOS/);
    expect((await whiteline('nmos', '--help')).output).toMatch(/registry/);
  });
});
