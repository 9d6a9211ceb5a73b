import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { NmosNodeSettings, NmosNodeView } from '../../../protocol/nmos-node';
import { ask } from '../../../testing/http-client';
import { TestRegistry } from '../../../testing/nmos-registry';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { eventually, settled } from '../../../testing/time-passes';
import { ConsoleNode } from './console-node';
import { legOf } from './ndi-transport';
import type { FollowedStream, OwnStream } from './node-streams';

const one = 'PC (one)';
const own: OwnStream = {
  ...{ id: 7, fullName: 'HERE (Whiteline “7”)', width: 1921, height: 1080, pixelFormat: 'uyvy' },
  rate: { numerator: 60_000, denominator: 1001 },
};

/** Of all that a test starts. */
let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

interface Setting {
  node: ConsoleNode;
  views: NmosNodeView[];
  streams: { own: OwnStream[]; followed: FollowedStream[] };
}

async function start(settings: Partial<NmosNodeSettings>): Promise<Setting> {
  const views: NmosNodeView[] = [];
  const streams: Setting['streams'] = { own: [], followed: [] };
  const node = await ConsoleNode.start({
    clock,
    settings: { registry: null, host: '127.0.0.1', port: 0, receivers: 2, ...settings },
    nodeStreams: {
      own: () => streams.own,
      followed: () => streams.followed,
      change: async ({ target }) => {
        if (!target) return null;
        streams.followed = [{ id: 1, name: target.name, fullName: '' }];
        return 1;
      },
      note: () => {},
    },
    onView: (view) => views.push(view),
  });
  onTestFinished(() => node.close());
  return { node, views, streams };
}

const isRegistered = ({ views }: Setting) =>
  eventually(clock, () => expect(views.at(-1)).toMatchObject({ is: 'registered' }));

interface Resource {
  id: string;
  label: string;
  flow_id: string;
  source_id: string;
  media_type: string;
  parents: string[];
  controls: { href: string }[];
}

async function receiver1Of(registry: TestRegistry): Promise<Resource | undefined> {
  const all = await listOf(registry, 'receivers');
  return all.find(({ label }) => label.endsWith(', receiver 1'));
}

async function listOf(registry: TestRegistry, path: string): Promise<Resource[]> {
  return (await registry.query(path)).body as Resource[];
}

test('it is registered with its receivers of NDI, and with the streams that it sends while they are there', async () => {
  const registry = await TestRegistry.start({ clock });
  const setting = await start({ registry: registry.origin });
  await isRegistered(setting);
  expect(setting.views.at(-1)).toMatchObject({ version: 'v1.3', resources: 4, warning: null });
  const ndi = { transport: 'urn:x-nmos:transport:ndi' };
  expect(await listOf(registry, 'receivers')).toMatchObject(
    Array(2).fill({ ...ndi, format: 'urn:x-nmos:format:mux', caps: { media_types: ['application/ndi'] } }),
  );
  setting.streams.own = [own];
  setting.node.look();
  await eventually(clock, async () => expect(await listOf(registry, 'senders')).toHaveLength(1));
  // The registry has the last one before the node hears that it has.
  await eventually(clock, () =>
    expect(setting.views.at(-1)).toMatchObject({ is: 'registered', resources: 11 }),
  );
  const [sender] = await listOf(registry, 'senders');
  expect(sender).toMatchObject({
    ...{ ...ndi, label: 'Whiteline “7”', manifest_href: null },
    subscription: { receiver_id: null, active: true },
    tags: { 'urn:x-nmos:tag:transport:ndi:group': ['public'] },
  });
  const flows = await listOf(registry, 'flows');
  const mux = flows.find(({ id }) => id === sender?.flow_id);
  expect(mux).toMatchObject({ format: 'urn:x-nmos:format:mux', media_type: 'application/ndi' });
  const parents = flows.filter(({ id }) => mux?.parents.includes(id));
  expect(parents.map(({ media_type }) => media_type).sort()).toEqual(['audio/L16', 'video/raw']);
  const source = (await listOf(registry, 'sources')).find(({ id }) => id === mux?.source_id);
  expect(source).toMatchObject({ format: 'urn:x-nmos:format:mux', parents: { length: 2 } });

  const [device] = await listOf(registry, 'devices');
  const at = `${device?.controls[0]?.href}single/senders/${sender?.id}`;
  expect((await ask(`${at}/active`)).body).toMatchObject({
    ...{ master_enable: true, transport_params: [{ machine_name: 'HERE', source_name: 'Whiteline “7”' }] },
  });
  const patch = (json: object) => ask(`${at}/staged`, { method: 'PATCH', json });
  const now = { activation: { mode: 'activate_immediate' } };
  expect(await patch({ transport_params: [{ source_name: 'other' }] })).toMatchObject({ status: 400 });
  expect(await patch({ transport_params: [{ source_name: 'auto' }], ...now })).toMatchObject({ status: 200 });
  expect(await patch({ master_enable: false, ...now })).toMatchObject({
    ...{ status: 500, body: { error: expect.stringContaining('remove its stream in the console') } },
  });
  setting.streams.own = [];
  setting.node.look();
  await eventually(clock, async () => {
    for (const type of ['senders', 'flows', 'sources']) expect(await listOf(registry, type)).toEqual([]);
  });
});

test('two consoles of one machine have labels of their own', async () => {
  const registry = await TestRegistry.start({ clock });
  for (const setting of [
    await start({ registry: registry.origin }),
    await start({ registry: registry.origin }),
  ])
    await isRegistered(setting);
  for (const type of ['nodes', 'devices', 'receivers']) {
    const labels = (await listOf(registry, type)).map(({ label }) => label);
    expect(new Set(labels).size, type).toBe(labels.length);
    expect(labels.every((label) => label.startsWith(`Whiteline on ${hostname()}:`))).toBe(true);
  }
});

test('what an operator follows and removes by hand shows in the registry', async () => {
  const registry = await TestRegistry.start({ clock });
  const setting = await start({ registry: registry.origin });
  await isRegistered(setting);
  const shows = (subscription: object) =>
    eventually(clock, async () => expect(await receiver1Of(registry)).toMatchObject({ subscription }));
  setting.streams.followed = [{ id: 3, name: one, fullName: one }];
  setting.node.look();
  await shows({ sender_id: null, active: true });
  const receiver = await receiver1Of(registry);
  const [device] = await listOf(registry, 'devices');
  const active = await ask(`${device?.controls[0]?.href}single/receivers/${receiver?.id}/active`);
  expect(active.body).toMatchObject({ master_enable: true, transport_params: [legOf(one)] });
  setting.streams.followed = [];
  setting.node.look();
  await shows({ sender_id: null, active: false });
});

test('the parameters that an earlier text of the draft has are refused by name', async () => {
  const { views } = await start({ registry: 'http://127.0.0.1:1' });
  await eventually(clock, () => expect(views.at(-1)).toMatchObject({ is: 'problem' }));
  const address = (views.at(-1) as { address: string }).address;
  const receivers = `${address}/x-nmos/connection/v1.1/single/receivers/`;
  const [id = ''] = (await ask(receivers)).body as string[];
  const patch = (leg: object) =>
    ask(`${receivers}${id}staged`, { method: 'PATCH', json: { transport_params: [leg] } });
  expect(await patch({ server_host: '192.0.2.7', group_name: null })).toMatchObject({
    ...{
      status: 400,
      body: { error: expect.stringContaining('machine_name, source_name, source_ip, source_port') },
    },
  });
  for (const leg of [
    { source_ip: 'stage-pc' },
    { source_port: 0 },
    { source_port: 1.5 },
    { machine_name: '' },
    { source_name: 'auto' },
  ])
    expect(await patch(leg), JSON.stringify(leg)).toMatchObject({ status: 400 });
  expect(await patch({ machine_name: 'a\0b' })).toMatchObject({ status: 400 });
});

test('a registry that is gone is said and asked again; one that comes there is used', async () => {
  const registry = await TestRegistry.start({ clock });
  const setting = await start({ registry: registry.origin });
  await isRegistered(setting);
  const { origin } = registry;
  await registry.close();
  setting.streams.own = [own];
  setting.node.look();
  await eventually(clock, () =>
    expect(setting.views.at(-1)).toMatchObject({ is: 'problem', isRetried: true }),
  );
  expect(setting.views.at(-1)).toMatchObject({
    problem: {
      message: expect.stringContaining(origin),
      remedy: expect.stringContaining('tries again'),
    },
  });
  const next = await TestRegistry.start({ clock, port: Number(new URL(origin).port) });
  await isRegistered(setting);
  expect(await listOf(next, 'senders')).toHaveLength(1);
});

test('at the same port it has the same ids again, and it leaves nothing behind', async () => {
  const registry = await TestRegistry.start({ clock });
  const idsOf = async (port: number): Promise<[string[], number]> => {
    const setting = await start({ registry: registry.origin, port });
    await isRegistered(setting);
    const ids = await registry.ids('receivers');
    const view = setting.views.at(-1) as { address: string };
    await setting.node.close();
    expect(await registry.ids('nodes')).toEqual([]);
    return [ids, Number(new URL(view.address).port)];
  };
  const [ids, port] = await idsOf(0);
  expect((await idsOf(port))[0]).toEqual(ids);
});

test.each([
  [{ host: '192.0.2.77' }, 'host'],
  [{ registry: 'https://127.0.0.1:8010' }, 'nmosRegistry'],
])('%j is refused with the field', async (settings, field) => {
  await expect(settled(clock, start(settings))).rejects.toMatchObject({ code: 'BAD_INPUT', field });
});

test('a port that is in use is refused with a remedy', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(settled(clock, start({ port }))).rejects.toMatchObject({
    code: 'NAME_IN_USE',
    remedy: expect.any(String),
  });
});
