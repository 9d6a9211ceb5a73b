import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readJoinFile } from '../fleet/site/join-file';
import { exitCodes } from '../protocol/errors';
import { CommandHere, untilTestEnds, whiteline } from '../testing/command-here';
import { temporaryFolder } from '../testing/temporary-folder';

const place = temporaryFolder();
let fleets = 0;

interface Fleet {
  folder: string;
  command: CommandHere;
  port: string;
}

/** All but the first have its keys: to make some takes longest. */
async function start(...more: string[]): Promise<Fleet> {
  const folder = join(place, `fleet-${++fleets}`);
  if (fleets > 1)
    for (const name of ['authority.pem', 'server.pem'])
      cpSync(join(place, 'fleet-1', name), join(folder, name));
  const words = ['fleet', 'start', '--folder', folder, '--listen', '127.0.0.1', '--port', '0', ...more];
  const command = untilTestEnds(new CommandHere(words));
  await command.says(/Ctrl-C ends it/);
  return { folder, command, port: /at port (\d+) of 127\.0\.0\.1/.exec(command.output)?.[1] ?? '' };
}

describe('whiteline fleet', () => {
  test('starts, invites, lists and stops', async () => {
    const { folder, command, port } = await start();
    expect(command.output).toMatch(
      /^Fingerprint of its authority \(SHA-256\): ([0-9A-F]{2}:){31}[0-9A-F]{2}$/m,
    );
    expect(command.output).toMatch(/^0 agents are invited\. To invite one: whiteline fleet invite NAME$/m);
    expect((await whiteline('fleet', 'list', '--folder', folder)).output).toMatch(/^No agent is invited\./);

    const file = join(place, 'render-1.txt');
    const invited = await whiteline('fleet', 'invite', 'render-1', '--folder', folder, '--output', file);
    expect(invited).toMatchObject({ exitCode: exitCodes.pass, errors: '' });
    expect(invited.output).toContain('Run there: npm start -- agent render-1.txt\n');
    expect(invited.output).not.toContain('is not running');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const joinFile = readJoinFile(file);
    expect(joinFile).toMatchObject({ servers: [`tls://127.0.0.1:${port}`], agent: { name: 'render-1' } });
    expect(invited.output).not.toContain(joinFile.secret);

    const listed = await whiteline('fleet', 'list', '--folder', folder, '--json');
    const nothing = { connected: false, version: null, console: null, problems: [] };
    const invitedAt = expect.stringMatching(/Z$/);
    expect(JSON.parse(listed.output)).toEqual({ ...joinFile.agent, invitedAt, ...nothing });
    expect((await whiteline('fleet', 'list', '--folder', folder)).output).toMatch(
      /^NAME +ID +INVITED +CONNECTED +VERSION +CONSOLE\nrender-1 .* no +- +-\n$/,
    );

    const stopped = await whiteline('fleet', 'stop', '--folder', folder);
    expect(stopped.output).toMatch(/^The fleet of .+ was stopped \(process \d+\)$/m);
    const { exitCode, output, errors } = await command.ended;
    expect([exitCode, errors]).toEqual([exitCodes.pass, '']);
    expect(output).toMatch(/^The fleet was stopped\.$/m);
    expect(existsSync(join(folder, 'nats-server.pid'))).toBe(false);
    const again = await whiteline('fleet', 'stop', '--folder', folder);
    expect(again).toMatchObject({ exitCode: exitCodes.pass, output: `No fleet of ${folder} is running\n` });
    const later = await whiteline('fleet', 'list', '--folder', folder);
    expect(later.output).toMatch(/^NAME +ID +INVITED\nrender-1 /);
    expect(later.errors).toBe(
      'whiteline: Which agents are connected is not known: the server of the fleet is not running. To start it: whiteline fleet start\n',
    );
    const known = JSON.parse((await whiteline('fleet', 'list', '--folder', folder, '--json')).output);
    expect(known).toMatchObject({ connected: null, notKnown: expect.stringContaining('is not running') });
  });

  test('a fleet that runs is not started twice, and its port is not given to another', async () => {
    const { folder, port } = await start();
    const twice = await whiteline('fleet', 'start', '--folder', folder);
    expect(twice.exitCode).toBe(exitCodes.badInput);
    expect(twice.errors).toMatch(
      /The fleet of .+ is running already, as process \d+\. End it first: whiteline fleet stop$/m,
    );
    const fresh = join(place, 'fresh');
    const words = ['fleet', 'start', '--folder', fresh, '--listen', '127.0.0.1', '--port', port];
    const inUse = await whiteline(...words);
    expect(inUse.errors).toContain(
      `Cannot listen on port ${port} of 127.0.0.1: the server of another fleet has it. End that one where it was started (whiteline fleet stop, with its --folder), or give another port`,
    );
    expect([inUse.exitCode, existsSync(fresh)]).toEqual([exitCodes.badInput, false]);
  });

  test('Ctrl-C ends it; a next start keeps address, port, authority and agents', async () => {
    const { folder, command, port } = await start();
    command.signal('SIGINT');
    expect(await command.ended).toMatchObject({ exitCode: exitCodes.pass, errors: '' });
    const authority = readFileSync(join(folder, 'authority.pem'), 'utf8');
    const file = join(place, 'later.json');
    const invited = await whiteline('fleet', 'invite', 'later', '--folder', folder, '--output', file);
    expect(invited.output).toContain('The fleet is not running. To start it: whiteline fleet start\n');
    const next = untilTestEnds(new CommandHere(['fleet', 'start', '--folder', folder]));
    await next.says(/Ctrl-C ends it/);
    expect(next.output).toContain(`The fleet listens at port ${port} of 127.0.0.1\n`);
    expect(next.output).toContain('1 agent is invited.');
    expect(readFileSync(join(folder, 'authority.pem'), 'utf8')).toBe(authority);
  });

  test('a server that is killed ends the command with a problem', async () => {
    const { folder, command } = await start();
    process.kill(Number(readFileSync(join(folder, 'nats-server.pid'), 'utf8')), 'SIGKILL');
    const { exitCode, errors } = await command.ended;
    expect(errors).toBe('whiteline: nats-server failed: it was killed (SIGKILL). Start the fleet again\n');
    expect(exitCode).toBe(exitCodes.environment);
  });

  test('an agent that is there is replaced with --force alone', async () => {
    const { folder } = await start();
    const file = join(place, 'forced.json');
    const invite = (name: string, ...flags: string[]) =>
      whiteline('fleet', 'invite', name, '--folder', folder, '--output', file, ...flags);
    await invite('a');
    const { secret, user } = readJoinFile(file);
    const refused = await invite('a');
    expect([refused.exitCode, refused.errors]).toEqual([
      exitCodes.badInput,
      'whiteline: a is invited already. Choose another name, or give --force to replace its secret\n',
    ]);
    const taken = await invite('b');
    expect([taken.exitCode, taken.errors]).toEqual([
      exitCodes.badInput,
      `whiteline: ${file} exists already. Choose another name with --output, or give --force to write over it\n`,
    ]);
    expect(readJoinFile(file).secret).toBe(secret);
    expect((await invite('a', '--force', '--address', 'gate.example.org')).exitCode).toBe(exitCodes.pass);
    const after = readJoinFile(file);
    expect(after.secret).not.toBe(secret);
    expect([after.user, after.servers[0]]).toEqual([
      user,
      expect.stringMatching(/^tls:\/\/gate\.example\.org:/),
    ]);
  });
});

describe('whiteline fleet start --invite', () => {
  /** Join files are written where the command runs. */
  const joinFolder = join(place, 'joining');
  const here = process.cwd();
  beforeEach(() => {
    mkdirSync(joinFolder, { recursive: true });
    process.chdir(joinFolder);
  });
  afterEach(() => process.chdir(here));
  const fileOf = (name: string): string => join(joinFolder, `${name}.join.json`);

  test('invites at the first start, on a fleet that runs, and at a later start, and replaces no secret', async () => {
    const { folder, command } = await start('--invite', 'render-1,display-1');
    expect(command.output).toContain(`render-1 is invited, with the join file ${fileOf('render-1')}\n`);
    expect(command.output).toContain(
      '  display-1: npm start -- agent display-1.join.json\nCtrl-C ends it.\n',
    );
    const [first, second] = ['render-1', 'display-1'].map((name) => readFileSync(fileOf(name), 'utf8'));
    rmSync(fileOf('display-1'));

    const running = await whiteline(
      ...['fleet', 'start', '--folder', folder],
      '--invite',
      'render-1',
      'display-1',
      'late',
    );
    expect([running.exitCode, running.errors]).toEqual([exitCodes.pass, '']);
    expect(running.output).toContain('render-1 was invited before, and keeps the join file');
    expect(running.output).toContain(
      'display-1 was invited before, and its missing join file is written again:',
    );
    expect(running.output).toContain('late is invited');
    expect(running.output).toMatch(/^The fleet is already running, as process \d+, and accepts them$/m);
    expect(['render-1', 'display-1'].map((name) => readFileSync(fileOf(name), 'utf8'))).toEqual([
      first,
      second,
    ]);

    command.signal('SIGINT');
    await command.ended;
    const again = untilTestEnds(
      new CommandHere(['fleet', 'start', '--folder', folder, '--invite', 'late', 'render-1']),
    );
    await again.says(/Ctrl-C ends it/);
    expect(again.output).toContain('3 agents are invited');
    expect(again.output.match(/keeps the join file/g)).toHaveLength(2);
  });

  test('a file in the way is named with what to do, and nothing is invited', async () => {
    const { folder } = await start();
    writeFileSync(fileOf('strange'), '{}');
    const refused = await whiteline('fleet', 'start', '--folder', folder, '--invite', 'new-1', 'strange');
    expect(refused.exitCode).toBe(exitCodes.badInput);
    expect(refused.errors).toContain(
      `${fileOf('strange')} is there already, and it is not of this fleet, in which strange is not invited. Move or delete this file, and start again`,
    );
    expect(existsSync(fileOf('new-1'))).toBe(false);
    await whiteline('fleet', 'invite', 'Case', '--folder', folder);
    const { errors } = await whiteline('fleet', 'start', '--folder', folder, '--invite', 'case');
    expect(errors).toContain('case differs by case alone from Case, which is invited already');
    const other = await whiteline('fleet', 'invite', 'CASE', '--folder', folder);
    expect(other.errors).toBe(
      'whiteline: CASE differs by case alone from Case, which is invited already. Choose a name that differs by more than case\n',
    );
    await whiteline(
      'fleet',
      'invite',
      'Case',
      '--folder',
      folder,
      '--force',
      '--output',
      join(place, 'newer.json'),
    );
    const old = await whiteline('fleet', 'start', '--folder', folder, '--invite', 'Case');
    expect(old.errors).toContain('Case has another secret since. Move or delete this file');
  });
});

const none = join(place, 'none');

test.each([
  [
    ['start', '--listen', 'stage-pc'],
    'Expected an address of this machine for --listen but received stage-pc.',
  ],
  [
    ['start', '--listen', '192.0.2.1'],
    'Expected an address of this machine for --listen but received 192.0.2.1.',
  ],
  [['start', '--port', '70000'], 'for --port but received 70000'],
  [['start', '--servers', 'hub-1:4222'], 'for --servers but received hub-1:4222'],
  [
    ['start', '--servers', 'hub-1,hub-1'],
    'Expected each machine once for --servers but received hub-1 twice.',
  ],
  [
    ['start', '--listen', '127.0.0.1', '--port', '64000', '--servers', 'hub-1,hub-2'],
    'Expected a port up to 63535 for a fleet of several servers for --port but received 64000',
  ],
  [['invite', 'a b'], 'Expected 1 to 63 letters, digits, ".", "_" and "-" for NAME but received a b.'],
  [['invite', ''], 'for NAME but received nothing'],
  [['invite', 'a'.repeat(64)], 'for NAME but received aaaa'],
  [['start', '--invite', 'a b'], 'for --invite but received a b'],
  [['start', '--invite', 'a,b', 'a'], 'Expected each name once for --invite but received a twice.'],
  [
    ['start', '--invite', 'a,B,b'],
    'Expected names that differ by more than case for --invite but received B and b.',
  ],
  [['invite', 'a', '--address', '192.0.2.7:4222'], 'for --address but received 192.0.2.7:4222'],
  [['invite', 'a'], `No fleet is set up in ${none}. Start one first: whiteline fleet start`],
  [['list'], `No fleet is set up in ${none}`],
])('fleet %j is refused', async ([command = '', ...words], sentence) => {
  const { exitCode, output, errors } = await whiteline('fleet', command, ...words, '--folder', none);
  expect([exitCode, output, errors]).toEqual([exitCodes.badInput, '', expect.stringContaining(sentence)]);
  expect(existsSync(none)).toBe(false);
});

test('a folder that cannot be made is named', async () => {
  const file = join(place, 'a-file');
  writeFileSync(file, '');
  const words = ['fleet', 'start', '--folder', join(file, 'fleet'), '--listen', '127.0.0.1', '--port', '0'];
  const { exitCode, errors } = await whiteline(...words);
  expect(errors).toBe(
    `whiteline: ${file}/fleet/agents cannot be written (ENOTDIR). Choose another place, or give this user the right to write there\n`,
  );
  expect(exitCode).toBe(exitCodes.environment);
});

test('help names the commands', async () => {
  expect((await whiteline('--help')).output).toMatch(/fleet\s+Machines that measure together/);
  expect((await whiteline('fleet', '--help')).output).toMatch(/start.+invite.+list.+stop/s);
});
