import { describe, expect, it } from 'vitest';
import {
  addTestReceiver,
  addTestSender,
  Endpoint,
  otherId,
  receiverId,
  request,
  senderId,
  startTestNode,
} from '../../testing/nmos-node';
import { SimulatedClock } from '../../testing/simulated-clock';
import { Refusal } from '../http/reply';
import { validate } from '../schemas/schemas';
import { taiNs, taiOf, taiText } from '../tai';
import type { Activated } from './connection';
import type { NmosNode, NmosNodeOptions } from './nmos-node';
import { mqttTransport, webSocketTransport } from './other-transports';
import { rtpTransport } from './rtp';
import type { Transport } from './transport';

const broker = { host: 'broker.example.org', port: 8883, isSecure: true, needsAuthorization: true };
const transports: [string, Transport][] = [
  ['RTP', rtpTransport()],
  ['RTP by two paths', rtpTransport(2)],
  ['MQTT', mqttTransport(broker)],
  ['WebSocket', webSocketTransport(({ id }) => `ws://192.0.2.1:8000/${id}`)],
];
const now = { activation: { mode: 'activate_immediate' } };
const later = (ms: number) => ({
  activation: { mode: 'activate_scheduled_relative', requested_time: taiText(BigInt(ms) * 1_000_000n) },
});

interface Setting {
  clock: SimulatedClock;
  node: NmosNode;
  sender: Endpoint;
  receiver: Endpoint;
  lines: string[];
  /** Resolves with the next activation that was carried out. */
  activated: () => Promise<Activated>;
}

async function start(transport = rtpTransport(), options: Partial<NmosNodeOptions> = {}): Promise<Setting> {
  const lines: string[] = [];
  const waiting: ((activated: Activated) => void)[] = [];
  const clock = new SimulatedClock();
  const node = await startTestNode({
    clock,
    log: (line) => lines.push(line),
    onActivated: (activated) => {
      for (const resolve of waiting.splice(0)) resolve(activated);
    },
    ...options,
  });
  addTestSender(node, transport);
  addTestReceiver(node, transport);
  const activated = (): Promise<Activated> => new Promise((resolve) => waiting.push(resolve));
  return {
    clock,
    node,
    sender: new Endpoint(node, 'sender'),
    receiver: new Endpoint(node, 'receiver'),
    lines,
    activated,
  };
}

function legsOf(body: unknown): Record<string, unknown>[] {
  const legs =
    typeof body === 'object' && body !== null && 'transport_params' in body ? body.transport_params : [];
  return Array.isArray(legs) ? legs : [];
}

describe('IS-05 v1.1 APIs', () => {
  it('API Paths: each level lists what is below it', async () => {
    const { node } = await start();
    const list = async (path: string) => (await request('GET', `${node.origin}/x-nmos/${path}`)).body;
    expect(await list('connection')).toEqual(['v1.1/']);
    expect(await list('connection/v1.1')).toEqual(['bulk/', 'single/']);
    expect(await list('connection/v1.1/bulk/')).toEqual(['senders/', 'receivers/']);
    expect(await list('connection/v1.1/single')).toEqual(['senders/', 'receivers/']);
    expect(await list('connection/v1.1/single/senders/')).toEqual([`${senderId}/`]);
    expect(await list(`connection/v1.1/single/senders/${senderId}`)).toEqual([
      ...['constraints/', 'staged/', 'active/', 'transportfile/', 'transporttype/'],
    ]);
    expect(await list(`connection/v1.1/single/receivers/${receiverId}/`)).toEqual([
      ...['constraints/', 'staged/', 'active/', 'transporttype/'],
    ]);
  });

  it('404 for a sender or receiver that does not exist', async () => {
    const { node } = await start();
    for (const role of ['sender', 'receiver'] as const)
      for (const path of ['constraints', 'staged', 'active', 'transporttype']) {
        const { status, body } = await new Endpoint(node, role, otherId).get(path);
        expect([status, body]).toEqual([
          404,
          { code: 404, error: `There is no ${role} ${otherId}`, debug: null },
        ]);
      }
    expect((await new Endpoint(node, 'sender', otherId).get('transportfile')).status).toBe(404);
    expect((await new Endpoint(node, 'receiver', otherId).patch({})).status).toBe(404);
  });
});

describe.each(transports)('IS-05 v1.1 ConnectionAPI.raml with %s', (_, transport) => {
  it('every body fits its schema, before and after an activation', async () => {
    const { sender, receiver } = await start(transport);
    for (const [role, endpoint] of [['sender', sender] as const, ['receiver', receiver] as const]) {
      const check = async (): Promise<void> => {
        for (const path of ['staged', 'active']) {
          const { body } = await endpoint.get(path);
          expect(validate('is-05', 'v1.1', `${role}-response-schema`, body)).toBeNull();
          const { schema } = transport[role];
          for (const leg of legsOf(body))
            if (schema) expect(validate('is-05', 'v1.1', schema, leg)).toBeNull();
        }
      };
      await check();
      const { status, body } = await endpoint.patch({ master_enable: true, ...now });
      expect(status).toBe(200);
      expect(validate('is-05', 'v1.1', `${role}-response-schema`, body)).toBeNull();
      await check();
      expect(
        validate('is-05', 'v1.1', 'constraints-schema', (await endpoint.get('constraints')).body),
      ).toBeNull();
      const { body: type } = await endpoint.get('transporttype');
      expect([type, validate('is-05', 'v1.1', 'transporttype-response-schema', type)]).toEqual([
        transport.urn,
        null,
      ]);
    }
  });

  it('/constraints, /staged and /active have the same parameters in the same number of legs', async () => {
    const { sender, receiver } = await start(transport);
    for (const endpoint of [sender, receiver]) {
      const { body: constraints } = await endpoint.get('constraints');
      const names = (Array.isArray(constraints) ? constraints : []).map((leg: object) =>
        Object.keys(leg).sort(),
      );
      expect(names).toHaveLength(transport.sender.legs);
      for (const path of ['staged', 'active'])
        expect(legsOf((await endpoint.get(path)).body).map((leg) => Object.keys(leg).sort())).toEqual(names);
    }
  });

  it('Use of auto: none is left in /active, and /staged keeps it', async () => {
    const { sender, receiver } = await start(transport);
    for (const endpoint of [sender, receiver]) {
      expect((await endpoint.patch(now)).status).toBe(200);
      const active = legsOf((await endpoint.get('active')).body);
      expect(active.flatMap((leg) => Object.values(leg))).not.toContain('auto');
      expect(legsOf((await endpoint.get('staged')).body).flatMap((leg) => Object.values(leg))).toContain(
        'auto',
      );
    }
  });
});

describe('IS-05 v1.1 PATCH of /staged', () => {
  it('changes what is in the request and nothing else', async () => {
    const { sender } = await start(rtpTransport(2));
    const { body: before } = await sender.get('staged');
    const { status, body } = await sender.patch({ transport_params: [{ destination_port: 6000 }, {}] });
    const [first, second] = legsOf(before);
    expect([status, body]).toEqual([
      200,
      { ...(before as object), transport_params: [{ ...first, destination_port: 6000 }, second] },
    ]);
    expect((await sender.patch({})).body).toEqual(body);
    expect((await sender.patch({ receiver_id: otherId })).body).toEqual({
      ...(body as object),
      receiver_id: otherId,
    });
    expect(legsOf((await sender.get('active')).body)[0]?.destination_port).toBe(5004);
  });

  it.each([
    [[], 'Expected an object for the body but received []'],
    ['text', 'Expected an object as the body'],
    [{ unknown: 1 }, /additional/],
    [{ master_enable: 'yes' }, 'Expected a boolean for /master_enable but received "yes"'],
    [{ receiver_id: 'one' }, /\/receiver_id/],
    [
      { transport_params: [{ destination_port: 70_000 }] },
      'Expected a whole number from 1 to 65535 or "auto" for /transport_params/0/destination_port but received 70000',
    ],
    [{ transport_params: [] }, 'Expected 1 legs in transport_params but received 0'],
    [{ transport_params: [{}, {}] }, 'Expected 1 legs in transport_params but received 2'],
    [{ transport_params: [{ destination_port: 'first' }] }, /first/],
    [
      { transport_params: [{ source_ip: '203.0.113.9' }] },
      /one of 192\.0\.2\.1, 198\.51\.100\.1 for \/transport_params\/0\/source_ip but received 203\.0\.113\.9/,
    ],
    [
      { transport_params: [{ rtcp_enabled: true }] },
      /Expected one of source_ip, .+ but received rtcp_enabled/,
    ],
    [{ transport_params: [{ ext_more: 1 }] }, /received ext_more/],
    [{ activation: { mode: 'activate_later' } }, /mode/],
    [{ activation: {} }, /\/activation\/mode/],
    [{ activation: { mode: 'activate_scheduled_absolute' } }, /Expected a time for requested_time/],
    [
      { activation: { mode: 'activate_scheduled_relative', requested_time: '1:1000000000' } },
      /less than a billion/,
    ],
    [{ activation: { mode: 'activate_scheduled_relative', requested_time: '-1:0' } }, /requested_time/],
    [{ activation: { mode: null, requested_time: '1:0' } }, /Expected no requested_time/],
    [{ activation: { mode: 'activate_scheduled_relative', requested_time: '604801:0' } }, /within 7 days/],
  ])('400 and no change for %j', async (request, error) => {
    const { sender } = await start();
    const { body: before } = await sender.get('staged');
    const { status, body } = await sender.patch(request);
    expect([status, body]).toEqual([
      400,
      {
        code: 400,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
        debug: expect.toSatisfy(isDebug),
      },
    ]);
    expect((await sender.get('staged')).body).toEqual(before);
  });

  const groups = 'a multicast address (224.0.0.0 to 239.255.255.255, ff00::/8) or null';
  it.each([
    ['multicast_ip', '1.2.3.4', groups],
    ['multicast_ip', '223.255.255.255', groups],
    ['multicast_ip', '240.0.0.0', groups],
    ['multicast_ip', '2001:db8::1', groups],
    ['source_ip', '224.0.0.1', 'the address of a host or null'],
    ['source_ip', '233.252.0.1', 'the address of a host or null'],
    ['source_ip', 'FF3E::1', 'the address of a host or null'],
    ['source_ip', '0.0.0.0', 'the address of a host or null'],
    ['source_ip', '::', 'the address of a host or null'],
    ['interface_ip', '203.0.113.9', 'one of 192.0.2.1, 198.51.100.1'],
  ])('of a receiver by RTP: 400 for %s %s, and what is possible', async (name, value, expected) => {
    const { receiver } = await start();
    const path = `/transport_params/0/${name}`;
    const { status, body } = await receiver.patch({ transport_params: [{ [name]: value }] });
    const error = `Expected ${expected} for ${path} but received ${value}`;
    expect([status, body]).toEqual([400, { code: 400, error, debug: path }]);
  });

  it.each(['0.0.0.0', '255.255.255.255', '::'])(
    'of a sender by RTP: 400 for destination_ip %s',
    async (value) => {
      const { sender } = await start();
      const path = '/transport_params/0/destination_ip';
      const { status, body } = await sender.patch({ transport_params: [{ destination_ip: value }] });
      const expected = 'the address of a host or of a multicast group, or auto,';
      const error = `Expected ${expected} for ${path} but received ${value}`;
      expect([status, body]).toEqual([400, { code: 400, error, debug: path }]);
    },
  );

  it.each([0, -1, 65_536, 1.5])('of a receiver by RTP: 400 for the port %d', async (port) => {
    const { receiver } = await start();
    const { status, body } = await receiver.patch({ transport_params: [{ destination_port: port }] });
    expect([status, body]).toMatchObject([400, { error: expect.stringContaining(`received ${port}`) }]);
  });

  it.each([
    { multicast_ip: '224.0.0.1', source_ip: '223.255.255.255' },
    { multicast_ip: 'FF3e::1', source_ip: '::1' },
    { multicast_ip: null, source_ip: null },
  ])('of a receiver by RTP: 200 for %j', async (parameters) => {
    const { receiver } = await start();
    expect((await receiver.patch({ transport_params: [parameters] })).status).toBe(200);
  });

  it('a refused part refuses all of it', async () => {
    const { sender } = await start();
    const { body: before } = await sender.get('staged');
    const wrong = {
      master_enable: true,
      transport_params: [{ destination_port: 6000, source_ip: '203.0.113.9' }],
    };
    expect((await sender.patch(wrong)).status).toBe(400);
    expect((await sender.get('staged')).body).toEqual(before);
  });
});

function isDebug(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

describe('IS-05 v1.1 immediate activation', () => {
  it('answers with its mode and time, and /staged forgets it', async () => {
    const { clock, sender } = await start();
    const { status, body } = await sender.patch({ master_enable: true, ...now });
    expect([status, body]).toMatchObject([
      200,
      { master_enable: true, activation: { mode: 'activate_immediate', requested_time: null } },
    ]);
    expect(timeOf(body)).toBe(taiNs(clock));
    const nothing = { mode: null, requested_time: null, activation_time: null };
    expect((await sender.get('staged')).body).toMatchObject({ activation: nothing });
    expect((await sender.get('active')).body).toMatchObject({
      ...{ master_enable: true, activation: { mode: 'activate_immediate' } },
      transport_params: [
        {
          source_ip: '192.0.2.1',
          destination_ip: expect.stringMatching(/^239\./),
          source_port: 5004,
          destination_port: 5004,
          rtp_enabled: true,
        },
      ],
    });
  });

  it('is carried out before it is answered, by the hook, with no auto in it', async () => {
    const carriedOut: Activated[] = [];
    const { receiver } = await start(rtpTransport(), {
      onActivated: async (activated) => {
        await new Promise((resolve) => setImmediate(resolve));
        carriedOut.push(activated);
      },
    });
    await receiver.patch({ sender_id: otherId, master_enable: true, ...now });
    expect(carriedOut).toMatchObject([
      {
        ...{ role: 'receiver', id: receiverId, transport: 'urn:x-nmos:transport:rtp' },
        active: {
          peerId: otherId,
          master_enable: true,
          legs: [{ interface_ip: '192.0.2.1', destination_port: 5004 }],
        },
        previous: { peerId: null, master_enable: false },
      },
    ]);
  });

  it('that fails is answered with 500, and nothing of /active changes', async () => {
    const { node, sender, lines } = await start(rtpTransport(), {
      onActivated: () => Promise.reject(new Error('the stream could not be opened')),
    });
    const { body: before } = await sender.get('active');
    const version = node.model.get('sender', senderId)?.version;
    const { status, body } = await sender.patch({ master_enable: true, ...now });
    expect([status, body]).toMatchObject([
      500,
      { error: expect.stringContaining('the stream could not be opened') },
    ]);
    expect((await sender.get('active')).body).toEqual(before);
    expect(node.model.get('sender', senderId)?.version).toBe(version);
    expect(lines.join('\n')).toContain('activation failed: the stream could not be opened');
  });

  it('with an auto that cannot be resolved is answered with 500, and nothing of /active changes', async () => {
    const { sender } = await start(mqttTransport(null));
    const { body: before } = await sender.get('active');
    const { status, body } = await sender.patch({ transport_params: [{ destination_host: 'auto' }], ...now });
    expect([status, body]).toMatchObject([
      500,
      { error: expect.stringContaining('no MQTT broker is configured') },
    ]);
    expect((await sender.get('active')).body).toEqual(before);
  });

  it('In-Progress Activations: another request waits until it is over', async () => {
    const events: string[] = [];
    let end = (): void => {};
    const begun = new Promise<void>((resolve) => {
      end = resolve;
    });
    let finish = (): void => {};
    const { sender } = await start(rtpTransport(), {
      onActivated: () => {
        end();
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    });
    const first = sender.patch({ master_enable: true, ...now }).then(() => events.push('activated'));
    await begun;
    const second = sender.patch({ master_enable: false }).then(() => events.push('staged'));
    expect((await sender.get('active')).body).toMatchObject({ master_enable: false });
    expect(events).toEqual([]);
    finish();
    await Promise.all([first, second]);
    expect(events).toEqual(['activated', 'staged']);
  });
});

function timeOf(body: unknown): bigint {
  const [, time = ''] = /"activation_time":"([^"]+)"/.exec(JSON.stringify(body)) ?? [];
  return taiOf(time) ?? -1n;
}

describe('IS-05 v1.1 scheduled activation', () => {
  it.each(['activate_scheduled_relative', 'activate_scheduled_absolute'])(
    '%s: 202, then pending, then active, not too early',
    async (mode) => {
      const { clock, sender, activated } = await start();
      const asked = taiNs(clock);
      const waitNs = 150_000_000n;
      const requested_time = taiText(mode === 'activate_scheduled_relative' ? waitNs : asked + waitNs);
      const carriedOut = activated();
      const { status, body } = await sender.patch({
        master_enable: true,
        activation: { mode, requested_time },
      });
      expect([status, body]).toMatchObject([202, { activation: { mode, requested_time } }]);
      expect(timeOf(body)).toBe(asked + waitNs);
      await clock.pass(149);
      expect((await sender.get('active')).body).toMatchObject({ master_enable: false });
      await clock.pass(1);
      await carriedOut;
      const active = await sender.get('active');
      expect(active.body).toMatchObject({ master_enable: true, activation: { mode, requested_time } });
      expect(timeOf(active.body)).toBe(timeOf(body));
      expect((await sender.get('staged')).body).toMatchObject({
        activation: { mode: null, activation_time: null },
      });
    },
  );

  it.each([
    ['the wall clock is set forward', (clock: SimulatedClock) => clock.stepWall(3_600_000)],
    ['the machine slept', (clock: SimulatedClock) => clock.suspend(3_600_000)],
  ])('whose time has come, since %s, is carried out within 100 ms', async (_, happens) => {
    const { clock, sender } = await start();
    await sender.patch({ master_enable: true, ...later(3_600_000) });
    await clock.pass(50);
    happens(clock);
    await clock.pass(100);
    expect((await sender.get('active')).body).toMatchObject({ master_enable: true });
  });

  it('waits as much longer as the wall clock is set back', async () => {
    const { clock, sender } = await start();
    await sender.patch({ master_enable: true, ...later(1000) });
    clock.stepWall(-60_000);
    await clock.pass(60_999);
    expect((await sender.get('active')).body).toMatchObject({ master_enable: false });
    await clock.pass(1);
    expect((await sender.get('active')).body).toMatchObject({ master_enable: true });
  });

  it('for a time that is over is carried out at once, and logged', async () => {
    const { sender, activated, lines } = await start();
    const carriedOut = activated();
    const activation = { mode: 'activate_scheduled_absolute', requested_time: '1:0' };
    expect((await sender.patch({ master_enable: true, activation })).status).toBe(202);
    await carriedOut;
    expect((await sender.get('active')).body).toMatchObject({ master_enable: true, activation });
    expect(lines.join('\n')).toContain('the activation time 1:0 is in the past: activating now');
  });

  it('423 while it is pending, for requests of any kind but one that cancels it', async () => {
    const { node, sender } = await start();
    expect((await sender.patch(later(600_000))).status).toBe(202);
    const { body: pending } = await sender.get('staged');
    for (const request of [{}, { master_enable: true }, now, later(1000)])
      expect((await sender.patch(request)).status).toBe(423);
    const bulk = await request('POST', `${node.origin}/x-nmos/connection/v1.1/bulk/senders`, [
      { id: senderId, params: now },
    ]);
    expect(bulk.body).toMatchObject([{ id: senderId, code: 423 }]);
    expect((await sender.get('staged')).body).toEqual(pending);
  });

  it('is cancelled by the mode null, together with other changes', async () => {
    const { sender } = await start();
    await sender.patch(later(600_000));
    const { status, body } = await sender.patch({ master_enable: true, activation: { mode: null } });
    const activation = { mode: null, requested_time: null, activation_time: null };
    expect([status, body]).toMatchObject([200, { master_enable: true, activation }]);
    expect((await sender.get('active')).body).toMatchObject({ master_enable: false, activation });
    expect((await sender.patch(now)).status).toBe(200);
  });

  it('of a sender that is removed does not happen', async () => {
    const { clock, node, sender, receiver, activated } = await start();
    await sender.patch(later(50));
    const carriedOut = activated();
    await receiver.patch(later(100));
    node.remove('sender', senderId);
    await clock.pass(100);
    expect((await carriedOut).role).toBe('receiver');
  });
});

describe('IS-05 v1.1 /transportfile', () => {
  it('is SDP, which is not cached, of what is active', async () => {
    const { sender } = await start(rtpTransport(2));
    await sender.patch({
      ...{ master_enable: true, ...now },
      transport_params: [
        { destination_ip: '233.252.0.1' },
        { destination_ip: '233.252.0.2', destination_port: 5010 },
      ],
    });
    const { status, headers, text } = await sender.get('transportfile');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/sdp',
      'no-cache',
    ]);
    for (const line of [
      ...['a=group:DUP leg1 leg2', 'm=video 5004 RTP/AVP 96', 'c=IN IP4 233.252.0.1/32'],
      ...['a=source-filter: incl IN IP4 233.252.0.1 192.0.2.1', 'm=video 5010 RTP/AVP 96'],
      ...['a=source-filter: incl IN IP4 233.252.0.2 198.51.100.1', 'a=mid:leg2'],
    ])
      expect(text.split('\r\n')).toContain(line);
  });

  it('has a session version that grows with each change, also with several in a second, and with no other', async () => {
    const { clock, node, sender } = await start();
    const versions: number[] = [];
    const read = async (): Promise<void> => {
      const [, version] = /^o=- \d+ (\d+) IN/m.exec((await sender.get('transportfile')).text) ?? [];
      versions.push(Number(version));
    };
    await read();
    await read();
    for (const destination_port of [5010, 5012, 5010]) {
      await sender.patch({ ...now, transport_params: [{ destination_port }] });
      await read();
    }
    clock.stepWall(-60_000);
    await sender.patch(now);
    await read();
    const known = node.model.get('sender', senderId);
    if (known) node.model.set('sender', { ...known, label: 'another' });
    await read();
    const [first = 0] = versions;
    expect(versions).toEqual([first, first, first + 1, first + 2, first + 3, first + 4, first + 5]);
    await clock.pass(120_000);
    await sender.patch(now);
    await read();
    expect(versions.at(-1)).toBe(first + 60);
  });

  it.each(transports.slice(2))('of %s does not exist', async (_, transport) => {
    const { node, sender } = await start(transport);
    expect((await sender.get('transportfile')).status).toBe(404);
    expect(node.model.get('sender', senderId)?.manifest_href).toBeNull();
  });

  it('of a sender is what a receiver takes: it gets the same group, port and source', async () => {
    const { sender, receiver } = await start();
    await sender.patch({ master_enable: true, ...now });
    const { text: data } = await sender.get('transportfile');
    const { body } = await receiver.patch({ transport_file: { data, type: 'application/sdp' }, ...now });
    const [sent] = legsOf((await sender.get('active')).body);
    expect(legsOf(body)).toEqual([
      {
        source_ip: sent?.source_ip,
        multicast_ip: sent?.destination_ip,
        interface_ip: 'auto',
        destination_port: 5004,
        rtp_enabled: true,
      },
    ]);
  });
});

describe('IS-05 v1.1 transport files of receivers', () => {
  const data =
    'v=0\r\no=- 1 1 IN IP4 192.0.2.9\r\ns=one\r\nt=0 0\r\nm=video 5000 RTP/AVP 96\r\nc=IN IP4 233.252.0.9/32\r\n';
  const file = { data, type: 'application/sdp' };

  it('parameters of the same request take precedence', async () => {
    const { receiver } = await start();
    const { body } = await receiver.patch({
      transport_file: file,
      transport_params: [{ destination_port: 6000 }],
    });
    expect(body).toMatchObject({
      transport_file: file,
      transport_params: [{ multicast_ip: '233.252.0.9', destination_port: 6000 }],
    });
    const again = await receiver.patch({ transport_file: file });
    expect(legsOf(again.body)[0]?.destination_port).toBe(5000);
  });

  it('null has no effect on the parameters', async () => {
    const { receiver } = await start();
    await receiver.patch({ transport_file: file });
    const none = { data: null, type: null };
    const { body } = await receiver.patch({ transport_file: none });
    expect(body).toMatchObject({ transport_file: none, transport_params: [{ multicast_ip: '233.252.0.9' }] });
  });

  it.each([
    [{ data, type: null }, 'both texts or both null'],
    [{ data: null, type: 'application/sdp' }, 'both texts or both null'],
    [{ data, type: 'text/plain' }, 'its type must be application/sdp, not text/plain'],
    [{ data: '', type: 'application/sdp' }, 'it does not begin with v=0'],
    [{ data: 'v=0\r\ns=x\r\n', type: 'application/sdp' }, 'it describes no RTP stream'],
    [{ data: 'v=0\r\nm=video 5000 RTP/AVP 96\r\n', type: 'application/sdp' }, 'a stream has no address'],
    [
      { data: `${data}a=rtpmap:96 smpte291/90000\r\n`, type: 'application/sdp' },
      'it describes video/smpte291, but this receiver accepts video/raw',
    ],
    [
      { data: data.replace('5000', '99999'), type: 'application/sdp' },
      'Expected a port from 1 to 65535 for m= but received 99999',
    ],
    [
      { data: data.replace('233.252.0.9', 'everywhere'), type: 'application/sdp' },
      'Expected an IP address for c= but received everywhere',
    ],
    [
      { data: data.replace('IP4 233.252.0.9/32', 'IP6 ff3e::9%eth0'), type: 'application/sdp' },
      'Expected an IP address for c= but received ff3e::9%eth0',
    ],
    [
      { data: data.replace('233.252.0.9/32', '203.0.113.7'), type: 'application/sdp' },
      'Expected one of 192.0.2.1',
    ],
  ])('400 for %j', async (transport_file, error) => {
    const { receiver } = await start();
    const { status, body } = await receiver.patch({ transport_file });
    expect([status, body]).toMatchObject([400, { error: expect.stringContaining(error) }]);
  });

  it.each(transports.slice(2))('%s takes none', async (_, transport) => {
    const { receiver } = await start(transport);
    expect((await receiver.patch({ transport_file: file })).status).toBe(400);
  });
});

describe('IS-05 v1.1 /bulk', () => {
  it('GET is answered with 405', async () => {
    const { node } = await start();
    for (const role of ['senders', 'receivers'])
      expect((await request('GET', `${node.origin}/x-nmos/connection/v1.1/bulk/${role}`)).status).toBe(405);
  });

  it('answers for each entry what it would have been alone; a wrong one does not disturb the others', async () => {
    const { node, receiver } = await start();
    const body = [
      { id: otherId, params: now },
      { id: receiverId, params: { transport_params: [{ destination_port: 0 }] } },
      { id: receiverId, params: { master_enable: true, ...now } },
      { id: receiverId, params: later(600_000) },
    ];
    const answer = await request('POST', `${node.origin}/x-nmos/connection/v1.1/bulk/receivers`, body);
    expect(answer.status).toBe(200);
    expect(validate('is-05', 'v1.1', 'bulk-response-schema', answer.body)).toBeNull();
    expect(answer.body).toMatchObject([
      { id: otherId, code: 404, error: `There is no receiver ${otherId}` },
      { id: receiverId, code: 400 },
      { id: receiverId, code: 200 },
      { id: receiverId, code: 202 },
    ]);
    expect((await receiver.get('active')).body).toMatchObject({ master_enable: true });
  });

  it.each([
    [{}],
    ['text'],
    [[1]],
    [[{ id: 'one', params: {} }]],
    [[{ id: senderId }]],
    [[{ id: senderId, params: {}, more: 1 }]],
  ])('400 for %j', async (body) => {
    const { node } = await start();
    expect((await request('POST', `${node.origin}/x-nmos/connection/v1.1/bulk/senders`, body)).status).toBe(
      400,
    );
  });
});

describe('IS-05 v1.1 Interoperability: IS-04', () => {
  it('Version Increments: each activation makes a new version, one of the same parameters too', async () => {
    const { node, sender } = await start();
    const version = (): string | undefined => node.model.get('sender', senderId)?.version;
    const versions = [version()];
    await sender.patch({ master_enable: true });
    expect(version()).toBe(versions[0]);
    for (let time = 0; time < 2; time++) {
      await sender.patch(now);
      versions.push(version());
    }
    expect(new Set(versions).size).toBe(3);
  });

  it('Identifying Active Connections: the subscription of a receiver follows', async () => {
    const { node, receiver } = await start();
    const subscription = () => node.model.get('receiver', receiverId)?.subscription;
    await receiver.patch({ sender_id: otherId, master_enable: true });
    expect(subscription()).toEqual({ sender_id: null, active: false });
    await receiver.patch(now);
    expect(subscription()).toEqual({ sender_id: otherId, active: true });
    await receiver.patch({ master_enable: false, ...now });
    expect(subscription()).toEqual({ sender_id: null, active: false });
  });

  it('Identifying Active Connections: a sender names its receiver only where it sends to one', async () => {
    const { node, sender } = await start();
    const subscription = () => node.model.get('sender', senderId)?.subscription;
    await sender.patch({ receiver_id: otherId, master_enable: true, ...now });
    expect(subscription()).toEqual({ receiver_id: null, active: true });
    await sender.patch({ transport_params: [{ destination_ip: '203.0.113.7' }], ...now });
    expect(subscription()).toEqual({ receiver_id: otherId, active: true });
  });
});

describe('a transport that IS-05 v1.1 has no schema for', () => {
  const later: Transport = {
    ...mqttTransport(null),
    urn: 'urn:x-nmos:transport:ndi',
    receiver: {
      ...{ schema: null, legs: 1, readFile: null, resolve: (leg) => leg },
      constraints: () => ({ machine_name: {} }),
      initial: () => ({ machine_name: null }),
      expected: (_, value) => (value === '' ? 'a name' : null),
    },
  };

  it('is staged and activated by its own parameters, all else by the schemas', async () => {
    const { receiver } = await start(later);
    const patched = await receiver.patch({ transport_params: [{ machine_name: 'PC' }], ...now });
    expect(patched).toMatchObject({ status: 200, body: { transport_params: [{ machine_name: 'PC' }] } });
    for (const body of [
      { transport_params: [{ machine_name: '' }] },
      { transport_params: [{ other: 1 }] },
      { transport_params: [{}, {}] },
      { transport_params: {} },
      { transport_params: [{ machine_name: {} }] },
      { transport_params: [[]] },
      { transport_params: [null] },
      { transport_params: [{}], master_enable: 'yes' },
      { transport_params: [{}], other: 1 },
    ])
      expect(await receiver.patch(body), JSON.stringify(body)).toMatchObject({ status: 400 });
    expect((await receiver.get('active')).body).toMatchObject({ transport_params: [{ machine_name: 'PC' }] });
  });
});

describe('many requests at once to one receiver', () => {
  it('the newest are carried out, one at a time; 503 for those before them', async () => {
    const ports: unknown[] = [];
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const { receiver, node } = await start(rtpTransport(), {
      onActivated: ({ active }) => {
        ports.push(active.legs[0]?.destination_port);
        return begun;
      },
    });
    const first = receiver.patch({ transport_params: [{ destination_port: 5000 }], ...now });
    await expect.poll(() => ports).toHaveLength(1);
    const entries = Array.from({ length: 20 }, (_, index) => ({
      id: receiverId,
      params: { transport_params: [{ destination_port: 5001 + index }], ...now },
    }));
    const bulk = request('POST', `${node.origin}/x-nmos/connection/v1.1/bulk/receivers`, entries);
    begin();
    expect((await first).status).toBe(200);
    const codes = ((await bulk).body as { code: number }[]).map(({ code }) => code);
    expect(codes).toEqual([...Array(12).fill(503), ...Array(8).fill(200)]);
    expect(ports).toEqual([5000, 5013, 5014, 5015, 5016, 5017, 5018, 5019, 5020]);
  });
});

describe('what is wrong in a request itself', () => {
  it('is 400 for a sender_id that is a receiver of this node', async () => {
    const { receiver, sender } = await start();
    const refused = await receiver.patch({ sender_id: receiverId, ...now });
    expect(refused).toMatchObject({
      ...{ status: 400, body: { error: expect.stringContaining('the id of a sender for sender_id') } },
    });
    for (const id of [senderId, otherId, null])
      expect(await receiver.patch({ sender_id: id }), `${id}`).toMatchObject({ status: 200 });
    expect(await sender.patch({ receiver_id: senderId })).toMatchObject({ status: 400 });
  });

  it('is answered as what carries it out says, and is not staged', async () => {
    const { receiver } = await start(rtpTransport(), {
      onActivated: () => {
        throw new Refusal(400, 'No such source');
      },
    });
    const before = (await receiver.get('staged')).body;
    expect(await receiver.patch({ master_enable: true, ...now })).toMatchObject({
      ...{ status: 400, body: { error: 'No such source' } },
    });
    expect((await receiver.get('staged')).body).toEqual(before);
  });
});

describe('what became of a receiver by another way', () => {
  it('shows in /active, /staged and IS-04, beside no activation; what was staged besides is kept', async () => {
    const { node, receiver } = await start();
    await receiver.patch({ transport_params: [{ destination_port: 5006 }], sender_id: otherId, ...now });
    node.reflect('receiver', receiverId, { master_enable: true, peerId: null });
    for (const path of ['active', 'staged'])
      expect((await receiver.get(path)).body).toMatchObject({
        ...{ master_enable: true, sender_id: null, transport_params: [{ destination_port: 5006 }] },
        activation: { mode: null },
      });
    expect(node.model.get('receiver', receiverId)?.subscription).toEqual({ sender_id: null, active: true });
  });
});
