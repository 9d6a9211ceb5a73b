import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { newAgentId, newSecret } from './agent-name';
import type { InvitedAgent } from './agents';
import { readIdentity } from './identity';
import { readJoinFile } from './join-file';
import { Site, type Surroundings, siteFiles } from './site';

const parent = temporaryFolder();
const dayMs = 86_400_000;
const listening = { listen: '0.0.0.0', port: 4222, servers: [] as string[] };
let folders = 0;
let folder = '';
let files = siteFiles(folder);
let nowMs = 0;
let addresses: string[] = [];
const around: Surroundings = {
  clock: { wallMs: () => nowMs },
  machine: () => ({ hostName: 'stage', addresses }),
};

beforeEach(() => {
  folder = join(parent, `deep/${++folders}`);
  files = siteFiles(folder);
  nowMs = Date.now();
  addresses = ['192.0.2.7'];
});

let template: string | null = null;

/** One that was set up before. All have the same keys, since to make some takes longest. */
function setUp(): Site {
  if (template === null) {
    template = join(parent, 'template');
    Site.prepare(template, listening, around);
  }
  cpSync(template, folder, { recursive: true });
  return Site.prepare(folder, listening, around);
}

function agent(name: string, address: string | null = null): InvitedAgent {
  const invitedAt = new Date(nowMs).toISOString();
  return { version: 1, id: newAgentId(), name, secret: newSecret(), address, invitedAt };
}

function namesOfServer(): string {
  return readIdentity(readFileSync(files.server, 'utf8'))?.certificate.subjectAltName ?? '';
}

const textOf = (path: string): string => readFileSync(path, 'utf8');

test('the first start makes all, for this user alone; a second one leaves it', () => {
  Site.prepare(folder, listening, around);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const made = readdirSync(folder).filter((name) => name !== 'agents');
  expect(made).toEqual(['authority.pem', 'console.json', 'fleet.json', 'nats-server.conf', 'server.pem']);
  for (const name of made) expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  const texts = made.map((name) => textOf(join(folder, name)));
  Site.prepare(folder, listening, around);
  expect(made.map((name) => textOf(join(folder, name)))).toEqual(texts);
});

test('the console connects from this machine, an agent from another', () => {
  const site = setUp();
  const console = readJoinFile(files.console);
  expect(console).toMatchObject({ servers: ['tls://127.0.0.1:4222'], user: 'console', agent: null });
  const invited = agent('render-1');
  const { id, name, secret } = invited;
  expect(site.joinOf(invited)).toEqual({
    ...{ version: 1, servers: ['tls://192.0.2.7:4222'], user: id, secret, agent: { id, name } },
    certificateAuthority: console.certificateAuthority,
  });
  expect(site.joinOf(agent('far', 'gate.example.org')).servers).toEqual(['tls://gate.example.org:4222']);
  expect(site.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
});

test('of several servers, join files and each certificate name all, and a copy of the folder is one of them', () => {
  setUp();
  const servers = ['hub-1', '192.0.2.8'];
  const site = Site.prepare(folder, { ...listening, servers }, around);
  const all = ['tls://hub-1:4222', 'tls://192.0.2.8:4222'];
  expect(site.joinOf(agent('render-1')).servers).toEqual(all);
  expect(site.joinOf(agent('far', 'gate.example.org')).servers).toEqual([
    'tls://gate.example.org:4222',
    ...all,
  ]);
  expect(readJoinFile(files.console).servers).toEqual(['tls://127.0.0.1:4222', ...all]);
  addresses = ['192.0.2.8'];
  const copy = join(parent, `deep/copy-${folders}`);
  cpSync(folder, copy, { recursive: true });
  expect(Site.open(copy, around).write()).toBe(true);
  files = siteFiles(copy);
  expect(namesOfServer()).toBe(
    'IP Address:127.0.0.1, IP Address:192.0.2.8, DNS:hub-1, DNS:localhost, DNS:stage',
  );
});

describe('the certificate of the server', () => {
  test('is made anew for other addresses, by the same authority', () => {
    const site = setUp();
    const authority = textOf(files.authority);
    expect(namesOfServer()).toBe('IP Address:127.0.0.1, IP Address:192.0.2.7, DNS:localhost, DNS:stage');
    addresses = ['192.0.2.8'];
    expect(site.write()).toBe(true);
    expect(namesOfServer()).toBe('IP Address:127.0.0.1, IP Address:192.0.2.8, DNS:localhost, DNS:stage');
    expect(site.write()).toBe(false);
    expect(textOf(files.authority)).toBe(authority);
  });

  test('is made anew a month before its end, and where its file is damaged', () => {
    const site = setUp();
    nowMs += 336 * dayMs;
    expect([site.write(), site.write()]).toEqual([true, false]);
    writeFileSync(files.server, textOf(files.server).slice(0, 900));
    expect([site.write(), site.write()]).toEqual([true, false]);
  });

  test('names the address by which an agent was told to come', () => {
    const site = setUp();
    site.agents.add(agent('far', 'Gate.example.org'));
    expect(site.write()).toBe(true);
    expect(namesOfServer()).toContain('DNS:gate.example.org');
  });
});

test('an agent that another command invites while this one writes is in the configuration', () => {
  const other = setUp();
  const late = agent('late');
  let isInvited = false;
  const site = Site.open(folder, {
    ...around,
    // In the middle of the writing: the agents were read.
    machine: () => {
      if (!isInvited) {
        isInvited = true;
        other.agents.add(late);
        other.write();
      }
      return around.machine();
    },
  });
  site.agents.add(agent('early'));
  site.write();
  expect(textOf(files.configuration)).toContain(late.id);
});

test('of two invitations with one name, one is the agent', () => {
  const { agents } = setUp();
  const [first, second] = [agent('render-1'), agent('render-1')];
  expect([agents.add(first), agents.add(second)]).toEqual([true, false]);
  expect(agents.all()).toEqual([first]);
  expect(readdirSync(files.agents)).toEqual(['render-1.json']);
});

test.each(['.', '..', '.hidden', '-', 'a'.repeat(63)])('an agent may be called “%s”', (name) => {
  const { agents } = setUp();
  expect(agents.add(agent(name))).toBe(true);
  expect(agents.all().map((one) => one.name)).toEqual([name]);
});

describe('what is wrong with the folder', () => {
  test('no fleet was set up', () => {
    expect(() => Site.open(folder, around)).toThrow(
      expect.objectContaining({
        ...{ code: 'NOT_FOUND', message: `No fleet is set up in ${folder}`, field: 'folder', value: folder },
        remedy: 'Start one first: whiteline fleet start',
      }),
    );
  });

  const damages: [string, keyof typeof files, RegExp][] = [
    ['settings', 'settings', /^Delete this file, and start the fleet again/],
    ['authority', 'authority', /^Put a copy of it back, or delete the whole folder/],
  ];
  test.each(damages)('damaged %s are named with the remedy', (_, which, remedy) => {
    setUp();
    writeFileSync(files[which], textOf(files[which]).slice(0, 40));
    const problem = {
      ...{ code: 'BAD_INPUT', message: `${files[which]} is damaged` },
      ...{ field: 'folder', value: files[which], remedy: expect.stringMatching(remedy) },
    };
    expect(() => Site.open(folder, around)).toThrow(expect.objectContaining(problem));
    expect(() => Site.prepare(folder, listening, around)).toThrow(expect.objectContaining(problem));
  });

  test('settings that were deleted are made again, and the invited agents stay', () => {
    const site = setUp();
    site.agents.add(agent('render-1'));
    rmSync(files.settings);
    expect(Site.prepare(folder, listening, around).fingerprint).toBe(site.fingerprint);
  });

  test('an authority that is gone is not made again while agents trust it', () => {
    setUp().agents.add(agent('render-1'));
    rmSync(files.authority);
    rmSync(files.settings);
    expect(() => Site.prepare(folder, listening, around)).toThrow(`${files.authority} is damaged`);
  });

  test('an authority whose time is over', () => {
    setUp();
    nowMs += 3651 * dayMs;
    expect(() => Site.open(folder, around)).toThrow(/authority\.pem was good until /);
  });

  test.each([
    ['cut', (text: string) => text.slice(0, 50)],
    ['of another name', (text: string) => text.replace('render-1', 'render-2')],
    ['with an address that is none', (text: string) => text.replace('null', '"a b"')],
  ])('the file of an agent, %s', (_, damage) => {
    const site = setUp();
    site.agents.add(agent('render-1'));
    const file = join(files.agents, 'render-1.json');
    writeFileSync(file, damage(textOf(file)));
    expect(() => site.write()).toThrow(
      expect.objectContaining({
        message: `${file} is damaged`,
        remedy: 'Delete this file, and invite the agent again: whiteline fleet invite render-1',
      }),
    );
  });

  test('a file stands where the folder should', () => {
    mkdirSync(join(parent, 'deep'), { recursive: true });
    writeFileSync(folder, '');
    expect(() => Site.prepare(folder, listening, around)).toThrow(
      expect.objectContaining({
        ...{ code: 'OUTPUT_UNWRITABLE', message: `${files.agents} cannot be written (ENOTDIR)` },
        ...{ field: 'folder', value: files.agents, remedy: expect.stringMatching(/^Choose another place/) },
      }),
    );
  });
});
