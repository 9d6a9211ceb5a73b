import { onTestFinished } from 'vitest';
import { NmosNode, type NmosNodeOptions } from '../nmos/node/nmos-node';
import type { EndpointRole } from '../nmos/node/staging';
import type { Transport } from '../nmos/node/transport';
import { ask, type HttpAnswer } from './http-client';
import { SimulatedClock } from './simulated-clock';

export function request(method: string, url: string, json?: unknown): Promise<HttpAnswer> {
  return ask(url, { method, json });
}

export const nodeId = '3b8be755-08ff-452b-b217-c9151eb21193';
export const deviceId = '9126cc2f-4c26-4c9b-a6cd-93c4381c9be5';
export const senderId = '5709255c-5bc9-4153-8f44-4a2cbcc4e8f9';
export const receiverId = '7c6a3b4e-9d3c-4f61-8d5f-8b1d3a6f2c10';
/** Of resources elsewhere. */
export const otherId = 'd7aa5a30-681d-4e72-92fb-f0ba0f6f4c3e';

const core = { description: '', tags: {} };

/** A node with one device, listening on loopback until the test ends; two interfaces with addresses for documentation. */
export async function startTestNode(options: Partial<NmosNodeOptions> = {}): Promise<NmosNode> {
  const interfaces = [
    { name: 'eth0', portId: '00-00-5e-00-53-01', addresses: ['192.0.2.1'] },
    { name: 'eth1', portId: '00-00-5e-00-53-02', addresses: ['198.51.100.1'] },
  ];
  const node = await NmosNode.start({
    ...{ hosts: ['127.0.0.1'], port: 0, interfaces, clock: new SimulatedClock() },
    ...options,
  });
  onTestFinished(() => node.close());
  const { node: addresses, controls } = node.addresses;
  node.model.set('node', {
    ...{ ...core, id: nodeId, label: 'node', ...addresses, caps: {}, services: [] },
    clocks: [{ name: 'clk0', ref_type: 'internal' }],
    interfaces: interfaces.map(({ name, portId }) => ({ name, chassis_id: null, port_id: portId })),
  });
  node.model.set('device', {
    ...{ ...core, id: deviceId, label: 'device', type: 'urn:x-nmos:device:generic', node_id: nodeId },
    ...{ senders: [], receivers: [], controls },
  });
  return node;
}

export function addTestSender(node: NmosNode, transport: Transport, id = senderId): void {
  const sender = { ...core, id, label: 'sender', flow_id: null, device_id: deviceId, caps: {} };
  node.addSender({ ...sender, transport: transport.urn }, transport);
}

export function addTestReceiver(node: NmosNode, transport: Transport, id = receiverId): void {
  const receiver = { ...core, id, label: 'receiver', device_id: deviceId, format: 'urn:x-nmos:format:video' };
  node.addReceiver(
    { ...receiver, caps: { media_types: ['video/raw'] }, transport: transport.urn },
    transport,
  );
}

/** The Connection API of one sender or receiver. */
export class Endpoint {
  private readonly url: string;

  constructor(node: NmosNode, role: EndpointRole, id = role === 'sender' ? senderId : receiverId) {
    this.url = `${node.origin}/x-nmos/connection/v1.1/single/${role}s/${id}`;
  }

  get(path: string): Promise<HttpAnswer> {
    return request('GET', `${this.url}/${path}`);
  }

  patch(body: unknown): Promise<HttpAnswer> {
    return request('PATCH', `${this.url}/staged`, body);
  }
}
