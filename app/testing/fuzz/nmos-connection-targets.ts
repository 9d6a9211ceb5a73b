import { ndiTransport } from '../../engine/nmos/console-node/ndi-transport';
import { Refusal } from '../../nmos/http/reply';
import { type Method, Router } from '../../nmos/http/router';
import { Connection } from '../../nmos/node/connection';
import { serveConnectionApi } from '../../nmos/node/connection-api';
import { mqttTransport, webSocketTransport } from '../../nmos/node/other-transports';
import { rtpTransport } from '../../nmos/node/rtp';
import type { EndpointRole } from '../../nmos/node/staging';
import type { Transport } from '../../nmos/node/transport';
import { validate } from '../../nmos/schemas/schemas';
import { nmosId } from '../nmos-resources';
import { SimulatedClock } from '../simulated-clock';
import { type FuzzTarget, ofValues } from './target';

/** All that a controller sends to the Connection API of a node (IS-05 v1.1), behind HTTP. A node keeps what it takes from case to case. */

const root = '/x-nmos/connection/v1.1';
const roles = ['sender', 'receiver'] as const;
const broker = { host: 'broker.example.org', port: 8883, isSecure: true, needsAuthorization: true };
const transports: [string, Transport][] = [
  ['RTP', rtpTransport()],
  ['RTP by two paths', rtpTransport(2)],
  ['MQTT', mqttTransport(broker)],
  ['WebSocket', webSocketTransport(({ id }) => `ws://192.0.2.1:8000/${id}`)],
  ['NDI', ndiTransport({ machine: 'STUDIO', source: 'Whiteline 1' })],
];
const addresses = ['192.0.2.1', '198.51.100.1', '2001:db8::1'];
const ids = { sender: nmosId(4, 1), receiver: nmosId(5, 1) };
const cancel = { activation: { mode: null } };

class Node {
  private readonly router = new Router();
  private readonly connections: Record<EndpointRole, Connection>;

  constructor(private readonly transport: Transport) {
    this.connections = { sender: this.connection('sender'), receiver: this.connection('receiver') };
    serveConnectionApi(this.router, {
      connection: (role, id) => (id === ids[role] ? this.connections[role] : undefined),
      ids: (role) => [ids[role]],
      transportFile: () => this.transportFile(),
    });
  }

  /** @throws Refusal 400 that has changed nothing */
  async patch(role: EndpointRole, body: unknown): Promise<unknown> {
    const before = await this.get(role, 'staged');
    try {
      const staged = await this.send('PATCH', `single/${role}s/${ids[role]}/staged`, body);
      this.check(role, staged);
      this.check(role, await this.get(role, 'active'));
      if (role === 'sender' && this.transport.sender.file) await this.checkFile();
      return staged;
    } catch (error) {
      if (error instanceof Refusal) same(await this.get(role, 'staged'), before);
      throw error;
    } finally {
      this.check(role, await this.send('PATCH', `single/${role}s/${ids[role]}/staged`, cancel));
      this.check(role, await this.get(role, 'staged'));
    }
  }

  /** @throws Refusal 400 */
  async bulk(role: EndpointRole, body: unknown): Promise<unknown> {
    try {
      const results = await this.send('POST', `bulk/${role}s`, body);
      fits('bulk-response-schema', results);
      for (const path of ['staged', 'active']) this.check(role, await this.get(role, path));
      return results;
    } finally {
      await this.send('PATCH', `single/${role}s/${ids[role]}/staged`, cancel);
    }
  }

  private connection(role: EndpointRole): Connection {
    return new Connection({
      ...{ role, transport: this.transport.urn, kind: this.transport[role] },
      place: { id: ids[role], label: 'fuzzed', addresses },
      // It stands still, so that a case is the same each time, within a week of the scheduled ones.
      clock: new SimulatedClock(1_799_900_000_000),
      ...{ onActivated: () => {}, onActive: () => {}, log: () => {} },
    });
  }

  private async get(role: EndpointRole, path: string): Promise<unknown> {
    return this.send('GET', `single/${role}s/${ids[role]}/${path}`);
  }

  private async send(method: Method, path: string, body?: unknown): Promise<unknown> {
    const { parameters, handlerOf } = this.router.find(`${root}/${path}`);
    const reply = await handlerOf(method)?.({
      ...{ method, path, parameters, body, headers: {}, query: new URLSearchParams() },
      ...{ origin: 'http://127.0.0.1:8080', remoteAddress: '127.0.0.1', reserve: () => undefined },
    });
    return JSON.parse(reply?.body ?? 'null');
  }

  private check(role: EndpointRole, body: unknown): void {
    const { schema, legs: count } = this.transport[role];
    const legs =
      typeof body === 'object' && body !== null && 'transport_params' in body ? body.transport_params : null;
    // IS-05 v1.1 does not know the parameters of a transport without a schema.
    fits(`${role}-response-schema`, schema === null ? { ...Object(body), transport_params: [] } : body);
    if (!Array.isArray(legs) || legs.length !== count)
      throw new Error(`not ${count} legs: ${JSON.stringify(legs)}`);
    for (const leg of legs) if (schema !== null) fits(schema, leg);
  }

  private transportFile(): { type: string; data: string } | null {
    const { legs } = this.connections.sender.active;
    const facts = { label: 'fuzzed', sessionVersion: '1', sessionId: '1', clockPortId: '00-00-5e-00-53-07' };
    return this.transport.sender.file?.(legs, { ...facts, flow: null, source: null }) ?? null;
  }

  /** A receiver of the same transport can read it, where it describes a stream. */
  private async checkFile(): Promise<void> {
    const file = this.transportFile();
    const isOn = this.connections.sender.active.legs.some(({ rtp_enabled }) => rtp_enabled === true);
    if (file && isOn)
      this.transport.receiver.readFile?.(file, this.transport.receiver.legs, {
        ...{ id: ids.receiver, label: 'fuzzed', addresses },
      });
  }
}

function fits(schema: string, body: unknown): void {
  const failure = validate('is-05', 'v1.1', schema, body);
  if (failure) throw new Error(`${schema}: ${failure.text}`);
}

function same(one: unknown, other: unknown): void {
  const [oneText, otherText] = [JSON.stringify(one), JSON.stringify(other)];
  if (oneText !== otherText) throw new Error(`a refused request changed ${otherText} to ${oneText}`);
}

const now = { activation: { mode: 'activate_immediate' } };
const later = (mode: string, requested_time: string) => ({ activation: { mode, requested_time } });
const activations = [
  ...[{}, now, cancel, later('activate_scheduled_relative', '600:0')],
  ...[later('activate_scheduled_absolute', '1800000000:5'), later('activate_scheduled_absolute', '1:0')],
];
const session = [
  ...['v=0', 'o=- 1 1 IN IP4 192.0.2.9', 's=one', 't=0 0', 'a=group:DUP a b'],
  ...['a=source-filter: incl IN IP6 * 2001:db8::9', 'm=video 5000 RTP/AVP 96', 'c=IN IP4 233.252.0.9/32'],
  ...['a=source-filter: incl IN IP4 233.252.0.9 192.0.2.9', 'a=mid:a', 'a=rtpmap:96 raw/90000'],
  ...['a=fmtp:96 width=1920;', ' height=1080', 'm=video 5002 RTP/AVP 96', 'c=IN IP6 ff3e::9', 'a=mid:b', ''],
].join('\r\n');
const parametersOfRtp = {
  sender: [
    { destination_ip: '233.252.0.1', destination_port: 5004, source_ip: 'auto', source_port: 0 },
    { destination_ip: '2001:db8::9', source_ip: '2001:db8::1', rtp_enabled: false },
  ],
  receiver: [
    { multicast_ip: '233.252.0.1', source_ip: '192.0.2.9', interface_ip: 'auto', destination_port: 5004 },
    { multicast_ip: 'ff3e::1', source_ip: null, interface_ip: '198.51.100.1', rtp_enabled: true },
  ],
};

/** Requests that are good, with each kind of activation. */
function requests(transport: Transport, role: EndpointRole): Record<string, unknown>[] {
  const { legs, initial } = transport[role];
  const place = { id: ids[role], label: 'fuzzed', addresses };
  const isRtp = transport.receiver.readFile !== null;
  const peer = role === 'sender' ? { receiver_id: ids.receiver } : { sender_id: ids.sender };
  const ofNdi = { machine_name: 'PC', source_name: 'Cam (1)', source_ip: '192.0.2.9', source_port: 5961 };
  const isNdiReceiver = role === 'receiver' && transport.urn.endsWith(':ndi');
  const transport_params = isRtp
    ? parametersOfRtp[role].slice(0, legs)
    : [isNdiReceiver ? ofNdi : initial(place)];
  const file = { transport_file: { data: session, type: 'application/sdp' } };
  return activations.flatMap((activation) => [
    { ...peer, master_enable: true, ...activation, transport_params },
    ...(isRtp && role === 'receiver' ? [{ ...file, ...activation }] : []),
  ]);
}

const isRefused = (error: unknown): boolean => error instanceof Refusal && error.status === 400;

function targetsOf(name: string, transport: Transport): FuzzTarget[] {
  return roles.flatMap((role) => {
    const node = new Node(transport);
    const good = requests(transport, role);
    const entries = good.map((params) => ({ id: ids[role], params }));
    return [
      ofValues(`NMOS connection of a ${role}: ${name}`, good, (body) => node.patch(role, body), isRefused),
      ofValues(
        `NMOS connections of ${role}s at once: ${name}`,
        [entries.slice(0, 2), entries],
        (body) => node.bulk(role, body),
        isRefused,
      ),
    ];
  });
}

export const nmosConnectionTargets: FuzzTarget[] = transports.flatMap(([name, transport]) =>
  targetsOf(name, transport),
);
