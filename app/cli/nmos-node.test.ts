import { describe, expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { errorsBesideBusy } from '../testing/busy-lines';
import { CommandHere, untilTestEnds, whiteline } from '../testing/command-here';
import { ask } from '../testing/http-client';
import { TestRegistry } from '../testing/nmos-registry';

async function start(...flags: string[]): Promise<{ command: CommandHere; origin: string }> {
  const command = untilTestEnds(new CommandHere(['nmos', 'node', ...flags]));
  await command.says(/http:\/\//);
  const [origin = ''] = /http:\/\/[\d.:]+/.exec(command.output) ?? [];
  return { command, origin };
}

describe('whiteline nmos node', () => {
  test('registers, is activated, and removes its resources at Ctrl-C', async () => {
    const registry = await TestRegistry.start();
    const flags = [
      '--registry',
      registry.origin,
      '--system',
      registry.origin,
      '--senders',
      '4',
      '--receivers',
      '2',
    ];
    const { command, origin } = await start(...flags);
    await command.says(/Registered at .+ \(v1\.3\) with 16 resources/);
    expect(command.output).toContain('Heartbeat every 5 s, from the System API');
    expect(await registry.ids('senders')).toHaveLength(4);
    const [receiver = ''] = await registry.ids('receivers');
    const staged = `${origin}/x-nmos/connection/v1.1/single/receivers/${receiver}/staged`;
    const json = { master_enable: true, activation: { mode: 'activate_immediate' } };
    expect((await ask(staged, { method: 'PATCH', json })).status).toBe(200);
    await command.says(new RegExp(`The receiver ${receiver} is on`));
    command.signal('SIGINT');
    const { exitCode, errors } = await command.ended;
    expect([exitCode, errorsBesideBusy(errors)]).toEqual([exitCodes.pass, '']);
    expect(command.output).toContain(`Removed from ${registry.origin}`);
    for (const type of ['nodes', 'devices', 'senders', 'receivers'])
      expect(await registry.ids(type)).toEqual([]);
  });

  test('with --json it prints an object for the node, its heartbeat and each state', async () => {
    const registry = await TestRegistry.start();
    const { command, origin } = await start(
      '--json',
      '--registry',
      registry.origin,
      '--senders',
      '0',
      '--receivers',
      '0',
    );
    await command.says(/"registered"/);
    const lines = command.output
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const [id] = await registry.ids('nodes');
    expect(lines).toEqual([
      { type: 'node', address: origin, id },
      { type: 'heartbeat', seconds: 5, isOfSystem: true },
      { type: 'state', is: 'registering', registry: registry.origin },
      { type: 'state', is: 'registered', registry: registry.origin, version: 'v1.3', resources: 2 },
    ]);
  });

  test('says what becomes of a registry that is not there', async () => {
    const { command } = await start('--registry', 'http://127.0.0.1:1');
    await command.says(
      /Trying http:\/\/127\.0\.0\.1:1 again in [\d.]+ s: connection refused, nothing listens on that port/,
    );
    await command.warns(/^\d{4}-\d\d-\d\dT[\d:.]+Z The System API .+ is not used/);
    command.signal('SIGINT');
    expect((await command.ended).exitCode).toBe(exitCodes.pass);
  });

  test('says where others see a node that they cannot reach', async () => {
    // No address of loopback, and a connection to it stays on this machine.
    const { command } = await start('--registry', 'http://0.0.0.0:1');
    await command.warns(
      /Other machines cannot reach this node at 127\.0\.0\.1, .+ http:\/\/0\.0\.0\.0:1 is not at loopback\. Give --listen/,
    );
  });

  test('with --json the time to the next try is given in ms', async () => {
    const { command } = await start('--json', '--registry', 'http://127.0.0.1:1');
    await command.says(/"is":"waiting".*"seconds":\d(\.\d{1,3})?,/);
  });

  test.each(['node', 'registry'])('%s --help gives the usual host as it is typed', async (name) => {
    const { output } = await whiteline('nmos', name, '--help');
    expect(output).toMatch(/\(default:\s+127\.0\.0\.1\)/);
    expect(output).not.toContain('"127.0.0.1"');
  });

  test('says what is wrong with a DNS server, and what to do', async () => {
    const { command } = await start('--dns-server', '127.0.0.1:1', '--dns-domain', 'studio.example.org');
    await command.warns(
      /The DNS server 127\.0\.0\.1:1 cannot be reached \(connection refused, nothing listens on that port\) when asked for _nmos-register\._tcp\.studio\.example\.org\. Check its address/,
    );
  });

  test.each([
    [['--port', '70000'], 'for --port but received 70000'],
    [['--senders', 'many'], 'for --senders but received many'],
    [['--receivers', '10001'], 'for --receivers but received 10001'],
    [['--listen', '192.0.2.1'], 'for --listen but received 192.0.2.1'],
    [
      ['--registry', 'one'],
      'Expected a URL for --registry but received one. Use for example http://192.0.2.7:8010',
    ],
    [['--registry', 'https://192.0.2.7'], 'for --registry but received https://192.0.2.7'],
    [['--registry', 'http://192.0.2.7/x-nmos'], 'Expected a URL without a path for --registry'],
    [
      ['--registry', 'http://192.0.2.7', '--dns-server', '192.0.2.53'],
      'for --dns-server but received 192.0.2.53',
    ],
    [['--system', 'http://192.0.2.7'], 'for --system but received http://192.0.2.7'],
    [['--dns-server', '192.0.2.53'], 'Give --dns-domain too'],
    [
      ['--dns-server', 'ns.example.org', '--dns-domain', 'a.example'],
      'for --dns-server but received ns.example.org',
    ],
    [
      ['--dns-server', '192.0.2.53', '--dns-domain', 'not a domain'],
      'for --dns-domain but received not a domain',
    ],
    [['--dns-domain', 'a.example'], 'for --dns-domain but received a.example'],
  ])('%o is refused by its flag', async (flags, words) => {
    const { exitCode, output, errors } = await whiteline('nmos', 'node', ...flags);
    expect([exitCode, output, errors]).toEqual([exitCodes.badInput, '', expect.stringContaining(words)]);
  });
});
