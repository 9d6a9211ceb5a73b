import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { fixedApis } from '../../../nmos/node/api-finder';
import { startExampleNode } from '../../../nmos/node/example-node';
import { Registration } from '../../../nmos/node/registration';
import type { Clock } from '../../../protocol/clock';
import type { CommandOf, NameIn } from '../../../protocol/command-table';
import { toProblem } from '../../../protocol/errors';
import { type NmosMessage, type NmosResource, type NmosView, nmosCommands } from '../../../protocol/nmos';
import { carryOut } from '../../../rpc/serve-commands';
import { MulticastCircle } from '../../../testing/multicast';
import { TestRegistry } from '../../../testing/nmos-registry';
import { changed as changedBy, nmosNode } from '../../../testing/nmos-resources';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { eventually, settled } from '../../../testing/time-passes';
import { NmosWatch } from './nmos-watch';

/** Of all that a test starts. */
let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

/** A subscription goes soon after its client. */
const subscriptionLimits = { aloneMs: 500, pingMs: 1000 };

/** Keeps what it is sent as a window does. */
class ShownWindow {
  readonly messages: NmosMessage[] = [];
  readonly resources = new Map<string, NmosResource>();
  private generation = -1;

  constructor(private readonly watch: NmosWatch) {}

  post(message: NmosMessage): void {
    this.messages.push(message);
    if (message.generation !== this.generation) this.resources.clear();
    this.generation = message.generation;
    for (const resource of message.changed) this.resources.set(resource.id, resource);
    for (const { id } of message.removed) this.resources.delete(id);
  }

  get view(): NmosView | undefined {
    return this.messages.at(-1)?.view;
  }

  async ask<Name extends NameIn<NmosCommands>>(command: CommandOf<NmosCommands, Name>): Promise<null> {
    const { name }: { name: Name } = command;
    return carryOut(nmosCommands, this.watch.commandsOf(this), name, command);
  }

  /** The problem that it is refused for. */
  refused(command: CommandOf<NmosCommands>): Promise<unknown> {
    return this.ask(command).then(() => null, toProblem);
  }
}

type NmosCommands = typeof nmosCommands;

/** By it a registry is asked once, and again only where something says so. */
function asksOnce(): Clock {
  const once: Clock = Object.create(clock);
  once.every = () => () => undefined;
  return once;
}

async function openWatch(
  ofWatch: Clock = clock,
): Promise<{ watch: NmosWatch; window: ShownWindow; circle: MulticastCircle }> {
  const circle = await MulticastCircle.open(clock);
  const watch = new NmosWatch(ofWatch, { multicastPort: circle.port, listenSeconds: 1.5 });
  const window = new ShownWindow(watch);
  onTestFinished(() => watch.close(window));
  await window.ask({ name: 'openNmos' });
  return { watch, window, circle };
}

test('a registry is read for the windows that show it, and for no longer', async () => {
  const registry = await TestRegistry.start({ subscriptionLimits, clock });
  for (const number of [1, 2]) await registry.registerNode(number);
  const { watch, window } = await openWatch();
  await window.ask({ name: 'chooseRegistry', url: `${registry.origin}/x-nmos/query/` });
  await eventually(clock, () =>
    expect(window.view?.chosen).toMatchObject({ state: 'live', url: registry.origin }),
  );
  expect(window.resources.size).toBe(8);
  const { sender, receiver } = nmosNode(2);
  expect(window.resources.get(receiver.id)).toEqual({
    ...{ kind: 'receiver', id: receiver.id, label: 'receiver 2', parentId: nmosNode(2).device.id },
    ...{ transport: 'rtp', format: 'video', senderId: null, isActive: false },
  });
  const second = new ShownWindow(watch);
  await second.ask({ name: 'openNmos' });
  await eventually(clock, () => expect(second.resources.size).toBe(8));
  await registry.delete(`senders/${sender.id}`);
  const subscription = { sender_id: nmosNode(1).sender.id, active: true };
  await registry.register('receiver', changedBy(receiver, 1, { subscription, label: 'red\u001b[31m' }));
  await eventually(clock, () =>
    expect(window.resources.get(receiver.id)).toMatchObject({
      ...{ label: 'red\\u001b[31m', senderId: nmosNode(1).sender.id, isActive: true },
    }),
  );
  await eventually(clock, () => expect(second.resources.has(sender.id)).toBe(false));
  watch.close(window);
  const heard = window.messages.length;
  await registry.registerNode(3);
  await eventually(clock, () => expect(second.resources.size).toBe(11));
  expect(window.messages).toHaveLength(heard);
  watch.close(second);
  await eventually(clock, async () => expect((await registry.query('subscriptions')).body).toEqual([]));
  const third = new ShownWindow(watch);
  await third.ask({ name: 'openNmos' });
  await eventually(clock, () => expect(third.resources.size).toBe(11));
  await third.ask({ name: 'leaveRegistry' });
  await eventually(clock, () => expect(third.view?.chosen).toBeNull());
  expect(third.resources.size).toBe(0);
  watch.close(third);
});

test('a receiver is connected and disconnected at its device, and each is said', async () => {
  const registry = await TestRegistry.start({ clock });
  const node = await startExampleNode({
    ...{ hosts: ['127.0.0.1'], port: 0, label: 'rack', senders: 2, receivers: 2 },
    clock,
    interfaces: [{ name: 'lo', portId: '00-00-5e-00-53-01', addresses: ['127.0.0.1'] }],
  });
  onTestFinished(() => node.close());
  const registration = new Registration({
    ...{ model: node.model, heartbeatSeconds: 5, log: () => {}, onState: () => {} },
    clock,
    registries: fixedApis([registry.origin], 'v1.3', 'registry'),
  });
  onTestFinished(() => void registration.close());
  const { watch, window } = await openWatch();
  await window.ask({ name: 'chooseRegistry', url: registry.origin });
  const first = (kind: string) => [...window.resources.values()].find((one) => one.kind === kind);
  await eventually(clock, () => expect(window.view?.chosen?.state).toBe('live'));
  await eventually(clock, () => expect(first('sender') && first('receiver') && first('device')).toBeTruthy());
  const video = (kind: string) =>
    [...window.resources.values()].find((one) => one.kind === kind && /video/.test(one.label))?.id ?? '';
  const [receiverId, senderId] = [video('receiver'), video('sender')];
  await window.ask({ name: 'connectReceiver', receiverId, senderId });
  await eventually(clock, () =>
    expect(window.view?.patches).toMatchObject([
      {
        ...{ id: 1, receiverId, senderId, state: 'done', problem: null },
        names: { receiver: expect.stringMatching(/video/), sender: expect.stringMatching(/video/) },
      },
    ]),
  );
  await eventually(clock, () =>
    expect(window.resources.get(receiverId)).toMatchObject({ senderId, isActive: true }),
  );
  await window.ask({ name: 'connectReceiver', receiverId, senderId: null });
  await eventually(clock, () =>
    expect(window.resources.get(receiverId)).toMatchObject({ senderId: null, isActive: false }),
  );
  // The screen is left before the device has answered.
  const connecting = window.ask({ name: 'connectReceiver', receiverId, senderId });
  watch.close(window);
  await connecting;
  await window.ask({ name: 'openNmos' });
  await eventually(clock, () => expect(window.view?.patches.at(-1)).toMatchObject({ id: 3, state: 'done' }));
  await eventually(clock, () => expect(window.view?.chosen?.state).toBe('live'));
  await node.close();
  await window.ask({ name: 'connectReceiver', receiverId, senderId });
  await eventually(clock, () =>
    expect(window.view?.patches.at(-1)).toMatchObject({
      ...{ id: 4, state: 'failed' },
      problem: {
        message: expect.stringMatching(/127.0.0.1:\d+ does not answer/),
        remedy: expect.stringMatching(/./),
      },
    }),
  );
  const absent = nmosNode(9).receiver.id;
  expect(await window.refused({ name: 'connectReceiver', receiverId: absent, senderId })).toMatchObject({
    ...{ code: 'BAD_INPUT', value: absent },
  });
});

test('an experiment pauses it: nothing is read or changed until it is over', async () => {
  const registry = await TestRegistry.start({ subscriptionLimits, clock });
  await registry.registerNode(1);
  const { watch, window } = await openWatch();
  await window.ask({ name: 'chooseRegistry', url: registry.origin });
  await eventually(clock, () => expect(window.resources.size).toBe(4));
  watch.noteMode('live');
  watch.noteMode('experiment');
  await eventually(clock, () =>
    expect(window.view).toMatchObject({ isPaused: true, chosen: { state: 'paused' } }),
  );
  await eventually(clock, async () => expect((await registry.query('subscriptions')).body).toEqual([]));
  expect(window.resources.size).toBe(4);
  const { sender, receiver } = nmosNode(1);
  for (const command of [
    { name: 'chooseRegistry', url: registry.origin },
    { name: 'connectReceiver', receiverId: receiver.id, senderId: sender.id },
    { name: 'examineNetwork', dnsServer: '', domain: '' },
  ] as const)
    expect(await window.refused(command)).toMatchObject({
      code: 'BAD_INPUT',
      remedy: 'Stop the experiment first',
    });
  watch.noteMode('stopping');
  watch.noteMode('idle');
  await eventually(clock, () =>
    expect(window.view).toMatchObject({ isPaused: false, chosen: { state: 'live' } }),
  );
  await eventually(clock, () => expect(window.resources.size).toBe(4));
  watch.noteMode('experiment');
  await window.ask({ name: 'leaveRegistry' });
  await eventually(clock, () => expect(window.view).toMatchObject({ isPaused: true, chosen: null }));
  expect(window.resources.size).toBe(0);
});

test.each([
  ['', 'Expected a URL for registry but received nothing'],
  [
    'ftp://192.0.2.7',
    'Expected a URL that begins with http:// or https:// for registry but received ftp://192.0.2.7',
  ],
  ['http://192.0.2.7/other', 'Expected a URL without a path'],
  ['http://me:secret@192.0.2.7', 'Expected a URL without a name and a password'],
])('%j is no registry', async (url, message) => {
  const { window } = await openWatch();
  expect(await window.refused({ name: 'chooseRegistry', url })).toMatchObject({
    ...{ code: 'BAD_INPUT', message: expect.stringContaining(message), remedy: expect.stringMatching(/./) },
  });
  await eventually(clock, () => expect(window.view?.chosen).toBeNull());
});

test.each([
  ['no JSON', '<html>', /a list of versions .+ but received <html>/],
  ['another version', '["v9.0/"]', /serves v9\.0, but Whiteline needs v1\.3 or v1\.2/],
])('a registry with %s is not read, with why', async (_name, body, reason) => {
  const server = createServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { window } = await openWatch();
  await window.ask({
    name: 'chooseRegistry',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  await eventually(clock, () =>
    expect(window.view?.chosen).toMatchObject({
      ...{ state: 'unread', reason: expect.stringMatching(reason) },
    }),
  );
});

test('a registry that comes back is read again', async () => {
  const registry = await TestRegistry.start({ clock });
  await registry.registerNode(1);
  const { port } = registry.registry.http;
  const { window } = await openWatch();
  await window.ask({ name: 'chooseRegistry', url: registry.origin });
  await eventually(clock, () => expect(window.resources.size).toBe(4));
  await registry.close();
  await eventually(clock, () =>
    expect(window.view?.chosen).toMatchObject({ state: 'lost', reason: expect.stringMatching(/./) }),
  );
  expect(window.resources.size).toBe(4);
  const again = await TestRegistry.start({ port, clock });
  await again.registerNode(2);
  await eventually(clock, () => expect(window.view?.chosen?.state).toBe('live'));
  // It may be back before its nodes.
  await eventually(clock, () => expect(window.resources.has(nmosNode(2).node.id)).toBe(true));
  expect(window.resources.has(nmosNode(1).node.id)).toBe(false);
});

test('the list says at once that a registry is lost, and that it is back', async () => {
  const registry = await TestRegistry.start({ clock });
  await registry.registerNode(1);
  const { window, circle } = await openWatch(asksOnce());
  const announcer = await circle.announcer();
  const txt = { api_proto: 'http', api_ver: 'v1.3', api_auth: 'false', pri: '10' };
  const { port } = registry.registry.http;
  await settled(clock, announcer.announce({ type: '_nmos-query._tcp', instance: 'rack', port, txt }));
  await window.ask({ name: 'chooseRegistry', url: registry.origin });
  await eventually(clock, () => expect(window.view?.registries[0]?.answer.is).toBe('there'));
  await eventually(clock, () => expect(window.view?.chosen?.state).toBe('live'));
  await registry.close();
  await eventually(clock, () => expect(window.view?.chosen?.state).toBe('lost'));
  await eventually(clock, () => expect(window.view?.registries[0]?.answer.is).toBe('silent'));
  await TestRegistry.start({ port, clock });
  await eventually(clock, () => expect(window.view?.chosen?.state).toBe('live'));
  await eventually(clock, () => expect(window.view?.registries[0]?.answer.is).toBe('there'));
});

test('what is announced is seen with what answers, and the doctor says what is wrong', async () => {
  const registry = await TestRegistry.start({ clock });
  const { window, circle } = await openWatch();
  const announcer = await circle.announcer();
  const txt = { api_proto: 'http', api_ver: 'v1.2,v1.3', api_auth: 'false', pri: '10' };
  const { port } = registry.registry.http;
  // Nothing listens there, and no other test may come to.
  const deadPort = 1;
  await settled(clock, announcer.announce({ type: '_nmos-query._tcp', instance: 'rack', port, txt }));
  await settled(
    clock,
    announcer.announce({
      type: '_nmos-query._tcp',
      instance: 'dead',
      port: deadPort,
      txt: { ...txt, pri: '20' },
    }),
  );
  const secure = { ...txt, api_proto: 'https' };
  await settled(
    clock,
    announcer.announce({ type: '_nmos-query._tcp', instance: 'secure', port: 8443, txt: secure }),
  );
  // Of a registry whose APIs have several priorities, the best one is shown: the lowest.
  const later = { ...secure, pri: '30' };
  await settled(
    clock,
    announcer.announce({ type: '_nmos-register._tcp', instance: 'secure', port: 8443, txt: later }),
  );
  const seen = () =>
    window.view?.registries.map(({ names, answer, priority }) => [names[0], answer.is, priority]);
  await eventually(clock, () =>
    expect(seen()?.sort()).toEqual([
      ['dead', 'silent', 20],
      ['rack', 'there', 10],
      ['secure', 'unasked', 10],
    ]),
  );
  expect(window.view?.registries.find(({ url }) => url === registry.origin)?.apis).toEqual([
    { name: 'query', versions: ['v1.2', 'v1.3'] },
  ]);
  expect(await window.refused({ name: 'examineNetwork', dnsServer: '192.0.2.53', domain: '' })).toMatchObject(
    {
      field: 'domain',
    },
  );
  const examination = async () => {
    await window.ask({ name: 'examineNetwork', dnsServer: '', domain: '' });
    await eventually(clock, () => expect(window.view?.examination?.isRunning).toBe(true));
    await eventually(clock, () => expect(window.view?.examination?.isRunning).toBe(false));
    return window.view?.examination;
  };
  // A machine that is busy may not hear all within so short a time.
  await eventually(clock, async () =>
    expect(await examination()).toMatchObject({
      answering: [{ name: 'query', url: registry.origin, foundBy: ['multicast'] }],
      findings: expect.arrayContaining([
        expect.objectContaining({ level: 'problem', text: expect.stringContaining('does not answer') }),
      ]),
    }),
  );
});
