import type { Clock } from '../../protocol/clock';
import { Router } from '../http/router';
import { type HttpServer, listen } from '../http/server';
import { Connection } from '../node/connection';
import { serveConnectionApi } from '../node/connection-api';
import type { NodeModel } from '../node/model';
import { rtpTransport } from '../node/rtp';
import { SessionVersions } from '../node/session-version';
import type { EndpointRole, Parameters } from '../node/staging';
import { simulatedFile } from './simulated-node';

const transport = rtpTransport();
const path = '/x-nmos/connection/v1.1';

interface Endpoint {
  connection: Connection;
  model: NodeModel;
}

/**
 * The Connection API (IS-05 v1.1) of all simulated nodes of a load, at one address, as a gateway has for the devices behind it: a
 * sender or receiver that is activated changes in its node, which registers it again. No media is sent.
 */
export class SimulatedConnections {
  private readonly endpoints: Record<EndpointRole, Map<string, Endpoint>> = {
    sender: new Map(),
    receiver: new Map(),
  };

  private readonly sessionVersions = new SessionVersions();

  private constructor(
    private readonly server: HttpServer,
    private readonly clock: Clock,
    private readonly log: (line: string) => void,
  ) {}

  /**
   * @param host address of this machine on which it listens
   * @throws WhitelineError for a host that is none
   */
  static async start(host: string, clock: Clock, log: (line: string) => void): Promise<SimulatedConnections> {
    const router = new Router();
    const server = await listen({ hosts: [host], port: 0, router, clock, log });
    const connections = new SimulatedConnections(server, clock, log);
    router.list('/x-nmos', ['connection']);
    serveConnectionApi(router, {
      connection: (role, id) => connections.endpoints[role].get(id)?.connection,
      ids: (role) => [...connections.endpoints[role].keys()],
      transportFile: (id) => connections.transportFile(id),
    });
    return connections;
  }

  /** What stands in `controls` of devices. */
  get href(): string {
    return `${this.server.origins[0]}${path}/`;
  }

  /** What stands in `manifest_href` of a sender. */
  fileOf(senderId: string): string {
    return simulatedFile(this.href, senderId);
  }

  /**
   * The senders and receivers of this node, which are off, can be activated from now on.
   * @param address from which it would send
   */
  add(model: NodeModel, address: string): void {
    for (const role of ['sender', 'receiver'] as const)
      for (const id of model.ids(role)) this.addEndpoint(model, role, id, address);
  }

  async close(): Promise<void> {
    for (const endpoints of Object.values(this.endpoints))
      for (const { connection } of endpoints.values()) connection.close();
    await this.server.close();
  }

  private addEndpoint(model: NodeModel, role: EndpointRole, id: string, address: string): void {
    const place = { id, label: model.get(role, id)?.label ?? '', addresses: [address] };
    const connection = new Connection({
      ...{ role, place, clock: this.clock, transport: transport.urn, kind: transport[role] },
      onActivated: () => {},
      onActive: (active) => follow(model, role, id, active),
      log: this.log,
    });
    this.endpoints[role].set(id, { connection, model });
  }

  private transportFile(id: string): { type: string; data: string } | null {
    const { model, connection } = this.endpoints.sender.get(id) ?? {};
    const sender = model?.get('sender', id);
    if (!model || !connection || !sender || !transport.sender.file) return null;
    const flow = model.get('flow', sender.flow_id ?? '') ?? null;
    const source = (flow && model.get('source', flow.source_id)) ?? null;
    const sessionVersion = this.sessionVersions.of(id, [sender, flow, source]);
    return transport.sender.file(connection.active.legs, {
      ...{ label: sender.label, sessionVersion, sessionId: String(Number.parseInt(id.slice(0, 8), 16)) },
      ...{ flow, source, clockPortId: model.node.interfaces[0]?.port_id ?? '' },
    });
  }
}

/** IS-05 Interoperability: IS-04, Identifying Active Connections. What is sent goes to a group, so that a sender has no one receiver. */
function follow(model: NodeModel, role: EndpointRole, id: string, active: Parameters): void {
  const isOn = active.master_enable;
  const [sender, receiver] = [model.get('sender', id), model.get('receiver', id)];
  if (role === 'sender' && sender)
    model.set('sender', { ...sender, subscription: { receiver_id: null, active: isOn } });
  if (role === 'receiver' && receiver)
    model.set('receiver', {
      ...receiver,
      subscription: { sender_id: isOn ? active.peerId : null, active: isOn },
    });
}
