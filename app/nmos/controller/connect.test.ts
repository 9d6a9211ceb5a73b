import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { answering } from '../../testing/nmos-hostile';
import { addTestReceiver, addTestSender, startTestNode } from '../../testing/nmos-node';
import { nmosId } from '../../testing/nmos-resources';
import { SimulatedClock } from '../../testing/simulated-clock';
import type { Activated } from '../node/connection';
import type { NmosNode } from '../node/nmos-node';
import { webSocketTransport } from '../node/other-transports';
import { rtpTransport } from '../node/rtp';
import type { Transport } from '../node/transport';
import { type Crosspoint, connect, connectAll } from './connect';
import { DeviceClient } from './device-client';
import { readSeen, type SeenDevice, type SeenResources, type SeenType } from './resources';
import { RestClient } from './rest-client';

const clock = new SimulatedClock();

let client: DeviceClient;
let activated: Activated[];

beforeEach(() => {
  activated = [];
  client = patientFor(10_000);
});

function patientFor(timeoutMs: number): DeviceClient {
  const rest = new RestClient({ timeoutMs });
  onTestFinished(() => rest.close());
  return new DeviceClient(rest, 'http://127.0.0.1:8010');
}

/** A node with as many senders and receivers. */
async function startNode(transport: Transport, count: number): Promise<NmosNode> {
  const node = await startTestNode({ onActivated: (one) => void activated.push(one) });
  for (let number = 1; number <= count; number++) {
    addTestSender(node, transport, nmosId(4, number));
    addTestReceiver(node, transport, nmosId(5, number));
  }
  return node;
}

function seen<Type extends SeenType>(node: NmosNode, type: Type): SeenResources[Type][] {
  return node.model.list(type, 'v1.3').map((one) => {
    const read = readSeen(type, one);
    if (typeof read === 'string') throw new Error(read);
    return read;
  });
}

/** Each receiver with the sender of its number. */
function crosspointsOf(node: NmosNode): [Crosspoint, ...Crosspoint[]] {
  const [device] = seen(node, 'device');
  const senders = seen(node, 'sender');
  const [first, ...others] = seen(node, 'receiver').flatMap((receiver, index) => {
    const sender = senders[index];
    return device && sender ? [{ receiver, device, sender, senderDevice: device }] : [];
  });
  if (!first) throw new Error('The node has no crosspoint');
  return [first, ...others];
}

const connected = (node: NmosNode): unknown[] => seen(node, 'receiver').map(({ senderId }) => senderId);

test('a receiver takes a sender by its transport file, and then nothing', async () => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  await connect(client, crosspoint);
  expect(connected(node)).toEqual([crosspoint.sender?.id]);
  const { active } = activated.at(-1) ?? expect.fail('nothing was activated');
  expect(active).toMatchObject({ master_enable: true, file: { type: 'application/sdp' } });
  expect(active.file.data).toMatch(/^v=0\r\n/);
  expect(active.legs).toMatchObject([
    { multicast_ip: expect.stringMatching(/^239\./), source_ip: '192.0.2.1' },
  ]);
  await connect(client, { ...crosspoint, sender: null });
  expect(connected(node)).toEqual([null]);
  expect(activated.at(-1)?.active.master_enable).toBe(false);
});

test('without a transport file it takes those of the sender’s parameters that it has too', async () => {
  const node = await startNode(
    webSocketTransport(({ id }) => `ws://192.0.2.1:8000/${id}`),
    1,
  );
  const [crosspoint] = crosspointsOf(node);
  expect(crosspoint.sender?.manifestHref).toBe(null);
  await connect(client, crosspoint);
  const legs = [
    { connection_uri: `ws://192.0.2.1:8000/${crosspoint.sender?.id}`, connection_authorization: false },
  ];
  expect(activated.at(-1)).toMatchObject({ role: 'receiver', active: { legs } });
});

test('a sender of which nothing says where it sends is refused before its receiver is asked', async () => {
  const [rtp] = crosspointsOf(await startNode(rtpTransport(), 1));
  const noFile = rtp.sender && { ...rtp.sender, manifestHref: null };
  await expect(connect(client, { ...rtp, sender: noFile })).rejects.toThrow(
    'has no transport file, and RTP needs one',
  );
  const [other] = crosspointsOf(
    await startNode(
      webSocketTransport(({ id }) => `ws://192.0.2.1/${id}`),
      1,
    ),
  );
  await expect(connect(client, { ...other, senderDevice: undefined })).rejects.toThrow(
    'has no transport file, and its device has no Connection API (IS-05)',
  );
  expect(activated).toEqual([]);
});

test.each(['single', 'bulk'] as const)('many by %s: a failure of one is none of others', async (by) => {
  const node = await startNode(rtpTransport(), 4);
  const [first, ...others] = crosspointsOf(node);
  const unknown = { ...first, receiver: { ...first.receiver, id: nmosId(5, 99) } };
  const uncontrolled = { ...first, device: { ...first.device, controls: [] } };
  const results = await connectAll([unknown, uncontrolled, ...others], { client, clock, by, atOnce: 16 });
  const problems = results.flatMap(({ problem }) => problem ?? []).sort();
  expect(problems).toMatchObject([
    expect.stringMatching(/^The device device of the receiver receiver has no Connection API \(IS-05\)/),
    expect.stringMatching(
      /^The device of the receiver receiver refuses the change: 404: There is no receiver/,
    ),
  ]);
  expect(results).toHaveLength(5);
  expect(connected(node)).toEqual([null, ...others.map(({ sender }) => sender?.id)]);
});

const newest = 'urn:x-nmos:control:sr-ctrl/v1.1';
const dead = { type: newest, href: 'http://127.0.0.1:1/x-nmos/connection/v1.1/' };
const deadToo = { type: newest, href: 'http://127.0.0.1:2/x-nmos/connection/v1.1/' };

/** With these addresses before its own, or in their place. */
function reachedAt(
  device: SeenDevice,
  { before, only }: { before?: SeenDevice['controls']; only?: SeenDevice['controls'] },
): SeenDevice {
  return { ...device, controls: only ?? [...(before ?? []), ...device.controls] };
}

const socketsOf = (): Transport => webSocketTransport(({ id }) => `ws://192.0.2.1:8000/${id}`);

describe('the next address of a device is tried where one does not answer as it has to', () => {
  test.each(['single', 'bulk'] as const)('of the receiver, by %s', async (by) => {
    const node = await startNode(rtpTransport(), 2);
    const crosspoints = crosspointsOf(node).map((one) => ({
      ...one,
      device: reachedAt(one.device, { before: [dead, deadToo] }),
    }));
    const results = await connectAll(crosspoints, { client, clock, by, atOnce: 4 });
    expect(results.map(({ problem }) => problem)).toEqual([null, null]);
    expect(connected(node)).toEqual(crosspoints.map(({ sender }) => sender?.id));
  });

  test('of the receiver, at an API of v1.0', async () => {
    const node = await startNode(rtpTransport(), 1);
    const [crosspoint] = crosspointsOf(node);
    const origin = await answering(({ method }) => ({
      body:
        method === 'GET'
          ? []
          : { master_enable: false, sender_id: null, activation: { mode: 'activate_immediate' } },
    }));
    const old = { type: 'urn:x-nmos:control:sr-ctrl/v1.0', href: `${origin}/x-nmos/connection/v1.0` };
    const device = reachedAt(crosspoint.device, { only: [old, dead] });
    expect(await connect(client, { ...crosspoint, device, sender: null })).toBe('active');
  });

  test.each(['single', 'bulk'] as const)('of the sender, for its parameters, by %s', async (by) => {
    const node = await startNode(socketsOf(), 1);
    const [crosspoint] = crosspointsOf(node);
    const senderDevice = reachedAt(crosspoint.device, { before: [dead] });
    const device = reachedAt(crosspoint.device, { before: [dead] });
    const [result] = await connectAll([{ ...crosspoint, device, senderDevice }], {
      ...{ client, clock, by, atOnce: 1 },
    });
    expect(result?.problem).toBeNull();
    expect(activated.at(-1)?.active.legs).toMatchObject([
      { connection_uri: `ws://192.0.2.1:8000/${crosspoint.sender?.id}` },
    ]);
  });

  test('of the sender, for its transport file', async () => {
    const node = await startNode(rtpTransport(), 1);
    const [crosspoint] = crosspointsOf(node);
    const sender = crosspoint.sender && { ...crosspoint.sender, manifestHref: 'http://127.0.0.1:1/sdp' };
    await connect(client, { ...crosspoint, sender });
    expect(activated.at(-1)?.active.file.data).toMatch(/^v=0/);
  });

  test('each is named where none answers, and the receiver is not changed', async () => {
    const node = await startNode(socketsOf(), 1);
    const [crosspoint] = crosspointsOf(node);
    const unreachable = reachedAt(crosspoint.device, { only: [dead, deadToo] });
    for (const lost of [{ device: unreachable }, { senderDevice: { ...unreachable, label: 'rack' } }])
      await expect(connect(client, { ...crosspoint, ...lost })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringMatching(
          /^None of the 2 addresses of (device|rack) can be used: http:\/\/127\.0\.0\.1:1 does not answer: .+; http:\/\/127\.0\.0\.1:2 does not answer: /,
        ),
        remedy: expect.stringContaining('addresses in the registry'),
      });
    expect(activated).toEqual([]);
  });

  test.each(['single', 'bulk'] as const)('another machine at an address is no device, by %s', async (by) => {
    const node = await startNode(socketsOf(), 1);
    const [crosspoint] = crosspointsOf(node);
    const asked: unknown[] = [];
    const other = await answering(({ method }) => {
      asked.push(method);
      return { status: 404 };
    });
    const control = { type: newest, href: `${other}/x-nmos/connection/v1.1` };
    const device = reachedAt(crosspoint.device, { before: [control] });
    const crosspoints = [{ ...crosspoint, device, senderDevice: device }];
    const [result] = await connectAll(crosspoints, { client, clock, by, atOnce: 1 });
    expect(result?.problem).toBeNull();
    expect(new Set(asked)).toEqual(new Set(['GET']));
  });

  test('one that refuses the change is the only one asked for it', async () => {
    const node = await startNode(rtpTransport(), 1);
    const [crosspoint] = crosspointsOf(node);
    const locked = await answering(({ method }) =>
      method === 'GET' ? { body: [] } : { status: 423, body: { error: 'locked' } },
    );
    const control = { type: newest, href: `${locked}/x-nmos/connection/v1.1` };
    const device = reachedAt(crosspoint.device, { before: [control] });
    await expect(connect(client, { ...crosspoint, device })).rejects.toThrow('423: locked');
    expect(activated).toEqual([]);
  });
});

test.each([
  ['a refusal', { status: 423, body: { code: 423, error: 'locked' } }, /refuses the change: 423: locked$/],
  ['an error without words', { status: 500 }, /refuses the change: status 500\. Check that/],
  ['silence', null, /does not answer: no answer within 0.5 s/],
  ['a web page', { body: '<html>' }, /refuses the change: status 200 without a JSON object/],
  [
    'another sender',
    { body: { master_enable: true, sender_id: nmosId(4, 9), activation: { mode: 'activate_immediate' } } },
    /it answers sender_id .+ instead of .+/,
  ],
  ['its switch off', { body: { master_enable: false } }, /it answers master_enable false instead of true/],
])('a device that answers with %s is named', async (_, answer, sentence) => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  const origin = await answering(() => answer);
  const controls = [{ type: 'urn:x-nmos:control:sr-ctrl/v1.0', href: `${origin}/x-nmos/connection/v1.0` }];
  const device = { ...crosspoint.device, controls };
  const asking = { client: answer === null ? patientFor(500) : client, clock, atOnce: 1 };
  const [result] = await connectAll([{ ...crosspoint, device }], { ...asking, by: 'single' });
  expect(result?.problem).toMatch(sentence);
});

test.each([
  ['nothing of it', [], 'refuses the change: its answer does not name this receiver'],
  ['no list', 'yes', 'Expected a list of results'],
  ['that it has none', { code: 404 }, 'Expected a list of results'],
])('a bulk request that is answered with %s is a failure', async (_, body, sentence) => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  const origin = await answering(() => ({ body }));
  const controls = [{ type: 'urn:x-nmos:control:sr-ctrl/v1.1', href: `${origin}/x-nmos/connection/v1.1` }];
  const device = { ...crosspoint.device, controls };
  const [result] = await connectAll([{ ...crosspoint, device }], { client, clock, by: 'bulk', atOnce: 1 });
  expect(result?.problem).toContain(sentence);
});

test('a sender whose transport file cannot be read is named', async () => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  const manifestHref = `${await answering(() => ({ status: 404, body: { error: 'none' } }))}/sdp`;
  const sender = crosspoint.sender && { ...crosspoint.sender, manifestHref };
  await expect(connect(client, { ...crosspoint, sender, senderDevice: undefined })).rejects.toThrow(
    `Expected the transport file of the sender from ${manifestHref} but received 404: none`,
  );
});

test('a transport file that is none goes to no device', async () => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  const page = await answering(() => ({ headers: { 'Content-Type': 'text/html' }, body: 'v=0\r\n' }));
  const secret = await answering(() => ({ body: 'root:secret' }));
  for (const [href, sentence] of [
    [page, 'of type application/sdp, from'],
    [secret, 'which begins with v=0, from'],
  ] as const) {
    const sender = crosspoint.sender && { ...crosspoint.sender, manifestHref: `${href}/file` };
    await expect(connect(client, { ...crosspoint, sender, senderDevice: undefined })).rejects.toThrow(
      sentence,
    );
  }
  expect(activated).toEqual([]);
});

test('an activation that a device has accepted alone is not said to be done', async () => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  const body = {
    ...{ master_enable: true, sender_id: crosspoint.sender?.id },
    activation: { mode: 'activate_immediate' },
  };
  const origin = await answering(() => ({ status: 202, body }));
  const controls = [{ type: 'urn:x-nmos:control:sr-ctrl/v1.1', href: `${origin}/x-nmos/connection/v1.1` }];
  const device = { ...crosspoint.device, controls };
  expect(await connect(client, { ...crosspoint, device })).toBe('waiting');
});

test('of a bulk request, what an entry says is staged counts', async () => {
  const node = await startNode(rtpTransport(), 1);
  const [crosspoint] = crosspointsOf(node);
  const params = { master_enable: false, activation: { mode: 'activate_immediate' } };
  const origin = await answering(() => ({ body: [{ id: crosspoint.receiver.id, code: 200, params }] }));
  const controls = [{ type: 'urn:x-nmos:control:sr-ctrl/v1.1', href: `${origin}/x-nmos/connection/v1.1` }];
  const device = { ...crosspoint.device, controls };
  const [result] = await connectAll([{ ...crosspoint, device }], { client, clock, by: 'bulk', atOnce: 1 });
  expect(result?.problem).toContain('it answers master_enable false instead of true');
});
