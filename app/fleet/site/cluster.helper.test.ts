import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectSecurely } from 'node:tls';
import { connect, type NatsConnection } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { askSubject, presenceSubject } from '../../protocol/fleet/subjects';
import { machineClock } from '../../protocol/machine-clock';
import { selfSigned } from '../../testing/self-signed';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { Bus, BusState } from '../bus/bus';
import { connectBus } from '../bus/nats-bus';
import { newAgentId, newSecret } from './agent-name';
import { readIdentity } from './identity';
import { type JoinFile, readJoinFile } from './join-file';
import { routePortOf } from './server-configuration';
import { siteFiles } from './site';
import { type StartedFleet, startFleet } from './start';

// One fleet with two real servers, at two addresses of this machine: the folder of the second one is a copy.

const place = temporaryFolder();
const folders = [join(place, 'hub-1'), join(place, 'hub-2')] as const;
const servers = ['127.0.0.1', '127.0.0.2'] as const;
const refreshes: (() => void)[] = [];
const clock = {
  ...machineClock,
  // A minute passes when the test says so.
  every(_: number, act: () => void) {
    refreshes.push(act);
    return () => undefined;
  },
};
const fleets: StartedFleet[] = [];
let invited: JoinFile;

const startOn = (index: 0 | 1, port: number | null): Promise<StartedFleet> =>
  startFleet({
    ...{
      folder: folders[index],
      clock,
      listen: servers[index],
      port,
      servers,
      log: (line) => globalThis.console.log(line),
    },
    machine: () => ({ hostName: 'stage', addresses: [] }),
    ...{ invite: index === 0 ? ['one'] : [], joinFolder: place },
  });

beforeAll(async () => {
  // High enough that nothing is given it by the system, with that of servers above it.
  fleets.push(await startOn(0, 62_000 + (process.pid % 1500)));
  cpSync(folders[0], folders[1], { recursive: true });
  fleets.push(await startOn(1, null));
  invited = readJoinFile(join(place, 'one.join.json'));
});
afterAll(() => Promise.all(fleets.map((fleet) => fleet.close())));

const portOf = (): number => fleets[0]?.site.settings.port ?? 0;
const serverOf = (address: string): string => `tls://${address}:${portOf()}`;
const only = (address: string, file: JoinFile): JoinFile => ({ ...file, servers: [serverOf(address)] });

async function connected(file: JoinFile): Promise<Bus> {
  const bus = await connectBus(file, file.agent ? 'agent' : 'console', { clock: machineClock });
  onTestFinished(() => bus.close());
  return bus;
}

/** By what the client of NATS itself says. */
async function joined(
  address: string,
  { user, secret, certificateAuthority }: JoinFile,
): Promise<NatsConnection> {
  const connection = await connect({
    ...{ servers: serverOf(address), user, pass: secret, tls: { ca: certificateAuthority } },
    reconnect: false,
  });
  onTestFinished(() => connection.close());
  return connection;
}

test('join files name both servers, and what is said at one is heard at the other', async () => {
  expect(invited.servers).toEqual(servers.map(serverOf));
  const agent = await connected(only(servers[0], invited));
  const console = await connected(only(servers[1], readJoinFile(siteFiles(folders[1]).console)));
  const heard: unknown[] = [];
  console.subscribe(presenceSubject(invited.user), (value) => heard.push(value));
  agent.serve(askSubject(invited.user), async (value) => ({ echo: value }));
  await vi.waitFor(async () => {
    agent.publish(presenceSubject(invited.user), 'here');
    expect(heard).toContain('here');
    expect(await console.request(askSubject(invited.user), 1, 1000)).toEqual({ echo: 1 });
  });
});

test.each(servers)('the server at %s lets an agent say and hear what is its own alone', async (address) => {
  const agent = await joined(address, invited);
  const problems: unknown[] = [];
  void (async () => {
    for await (const { type, permissionContext } of agent.status())
      if (type === 'error') problems.push(permissionContext);
  })();
  const other = newAgentId();
  agent.publish(presenceSubject(other));
  agent.subscribe(`whiteline.to.${other}.ask`, { callback: () => undefined });
  await vi.waitFor(() =>
    expect(problems).toEqual([
      { operation: 'publish', subject: presenceSubject(other) },
      { operation: 'subscription', subject: `whiteline.to.${other}.ask` },
    ]),
  );
  await expect(joined(address, { ...invited, secret: newSecret() })).rejects.toMatchObject({
    code: 'AUTHORIZATION_VIOLATION',
  });
});

test('no program joins as a server without a certificate of the authority', async () => {
  const port = routePortOf({ port: portOf(), servers }) ?? 0;
  const own = readIdentity(readFileSync(siteFiles(folders[0]).server, 'utf8'));
  const saidTo = async (key?: string, cert?: string): Promise<string> => {
    const socket = connectSecurely({ host: '127.0.0.1', port, rejectUnauthorized: false, key, cert });
    let said = '';
    socket.on('data', (bytes) => {
      said += bytes.toString();
      socket.destroy();
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    return said;
  };
  expect(await saidTo()).toBe('');
  expect(await saidTo(selfSigned.key, selfSigned.cert)).toBe('');
  // Who has one is greeted: it was not for another reason.
  expect(await saidTo(own?.keyPem, own?.certificatePem)).toMatch(/^INFO /);
});

test('an agent whose file is copied to the other server is let in there within a minute, and one whose file is gone is put out', async () => {
  const agent = { version: 1, id: newAgentId(), name: 'late', secret: newSecret() } as const;
  const file = { ...invited, user: agent.id, secret: agent.secret, agent: { id: agent.id, name: 'late' } };
  fleets[0]?.site.agents.add({ ...agent, address: null, invitedAt: new Date().toISOString() });
  const pass = (): void => {
    for (const refresh of refreshes) refresh();
  };
  pass();
  await vi.waitFor(() => joined(servers[0], file));
  await expect(joined(servers[1], file)).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
  const { agents } = siteFiles(folders[0]);
  cpSync(join(agents, 'late.json'), join(siteFiles(folders[1]).agents, 'late.json'));
  pass();
  const late = await vi.waitFor(() => joined(servers[1], file));
  for (const folder of folders) rmSync(join(siteFiles(folder).agents, 'late.json'));
  pass();
  await late.closed();
  // Each server reads its configuration again by itself.
  await vi.waitFor(() =>
    expect(joined(servers[0], file)).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' }),
  );
});

test('who loses its server goes on at the other one', async () => {
  const agent = await connected(only(servers[1], invited));
  // It begins with the server of its own machine.
  const console = await connected(readJoinFile(siteFiles(folders[0]).console));
  expect(console.server).toBe(serverOf(servers[0]));
  const states: BusState[] = [];
  console.onState((state) => states.push(state));
  const heard: unknown[] = [];
  console.subscribe(presenceSubject(invited.user), (value) => heard.push(value));
  process.kill(Number(readFileSync(siteFiles(folders[0]).processId, 'utf8')), 'SIGKILL');
  await fleets[0]?.ended;
  await vi.waitFor(() => {
    agent.publish(presenceSubject(invited.user), 'later');
    expect(heard).toContain('later');
  });
  expect(states).toEqual(['reconnecting', 'connected']);
  expect([agent.server, console.server]).toEqual([serverOf(servers[1]), serverOf(servers[1])]);
});
