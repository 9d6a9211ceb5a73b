import type { Clock } from '../../protocol/clock';
import { Router } from '../http/router';
import { type HttpLimits, type HttpServer, listen } from '../http/server';
import type { RunningInterface } from '../interfaces';
import { type Activated, Connection } from './connection';
import { serveConnectionApi } from './connection-api';
import { NodeModel } from './model';
import { serveNodeApi } from './node-api';
import {
  type NodeResource,
  nodeApiVersions,
  type ReceiverResource,
  resourceTypes,
  type SenderResource,
} from './resources';
import { SessionVersions } from './session-version';
import type { EndpointRole, Parameters } from './staging';
import type { EndpointPlace, FileFacts, Transport } from './transport';

export interface NmosNodeOptions {
  /** Addresses of this machine that are listened on; the first one stands in URLs. */
  hosts: readonly string[];
  /** 0 takes one that is free. */
  port: number;
  /** Those that media may use, the usual one first. */
  interfaces: readonly RunningInterface[];
  clock: Clock;
  /** Makes a sender or receiver do what it was set to; it stays as it was where this rejects. */
  onActivated?: (activated: Activated) => void | Promise<void>;
  log?: (line: string) => void;
  limits?: Partial<HttpLimits>;
}

/**
 * An NMOS node: its resources, and the Node API (IS-04 v1.2, v1.3) and Connection API (IS-05 v1.1) that serve them. Registration is
 * beside it.
 */
export class NmosNode {
  readonly model: NodeModel;
  private readonly connections = {
    sender: new Map<string, Connection>(),
    receiver: new Map<string, Connection>(),
  };
  private readonly transports = new Map<string, Transport>();
  private readonly sessionVersions = new SessionVersions();

  private constructor(
    private readonly options: NmosNodeOptions,
    private readonly server: HttpServer,
  ) {
    this.model = new NodeModel(options.clock);
  }

  /** @throws WhitelineError for a host that is no address of this machine, and a port that is taken */
  static async start(options: NmosNodeOptions): Promise<NmosNode> {
    const router = new Router();
    const { hosts, port, clock, log, limits } = options;
    const server = await listen({ hosts, port, router, clock, log, limits });
    const node = new NmosNode(options, server);
    router.list('/x-nmos', ['node', 'connection']);
    serveNodeApi(router, node.model);
    serveConnectionApi(router, {
      connection: (role, id) => node.connections[role].get(id),
      ids: (role) => [...node.connections[role].keys()],
      transportFile: (id) => node.transportFile(id),
    });
    return node;
  }

  get port(): number {
    return this.server.port;
  }

  /** Of its first host, for example http://127.0.0.1:8080. */
  get origin(): string {
    return this.server.origins[0] ?? '';
  }

  /** Of a sender, whatever of it is active. */
  transportFileUrl(senderId: string): string {
    return `${this.origin}/x-nmos/connection/v1.1/single/senders/${senderId}/transportfile`;
  }

  /** What of a node's and device's resources follows from where it listens. */
  get addresses(): {
    node: Pick<NodeResource, 'href' | 'api'>;
    controls: { type: string; href: string; authorization: boolean }[];
  } {
    const origins = this.server.origins.map((origin) => new URL(origin));
    const endpoints = origins.map(({ hostname, port }) => ({
      ...{ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 },
      ...{ protocol: 'http' as const, authorization: false },
    }));
    const controls = origins.map(({ origin }) => ({
      ...{ type: 'urn:x-nmos:control:sr-ctrl/v1.1', authorization: false },
      href: `${origin}/x-nmos/connection/v1.1/`,
    }));
    return {
      node: { href: `${this.origin}/`, api: { versions: [...nodeApiVersions], endpoints } },
      controls,
    };
  }

  /** A sender that is off until it is activated. */
  addSender(
    sender: Omit<SenderResource, 'subscription' | 'interface_bindings' | 'manifest_href'>,
    transport: Transport,
  ): void {
    const { id } = sender;
    this.model.set('sender', {
      ...sender,
      manifest_href: transport.sender.file ? this.transportFileUrl(id) : null,
      interface_bindings: this.bindings(transport.sender.legs),
      subscription: { receiver_id: null, active: false },
    });
    this.connect('sender', sender, transport);
  }

  addReceiver(
    receiver: Omit<ReceiverResource, 'subscription' | 'interface_bindings'>,
    transport: Transport,
  ): void {
    this.model.set('receiver', {
      ...receiver,
      interface_bindings: this.bindings(transport.receiver.legs),
      subscription: { sender_id: null, active: false },
    });
    this.connect('receiver', { ...receiver, mediaTypes: receiver.caps.media_types }, transport);
  }

  /** A sender or receiver became so by another way than IS-05. */
  reflect(role: EndpointRole, id: string, change: Partial<Parameters>): void {
    this.connections[role].get(id)?.reflect(change);
  }

  /** With its connection; an activation that is pending does not happen. */
  remove(role: EndpointRole, id: string): void {
    this.connections[role].get(id)?.close();
    this.connections[role].delete(id);
    this.transports.delete(id);
    this.model.remove(role, id);
  }

  async close(): Promise<void> {
    for (const connections of Object.values(this.connections))
      for (const connection of connections.values()) connection.close();
    await this.server.close();
  }

  private connect(
    role: EndpointRole,
    { id, label, mediaTypes }: Omit<EndpointPlace, 'addresses'>,
    transport: Transport,
  ): void {
    const { clock, onActivated = () => {}, log = () => {}, interfaces } = this.options;
    const addresses = interfaces.flatMap((one) => one.addresses);
    const place: EndpointPlace = { id, label, addresses, mediaTypes };
    this.transports.set(id, transport);
    const connection = new Connection({
      ...{ role, place, clock, onActivated, log, transport: transport.urn, kind: transport[role] },
      onActive: (active) => this.follow(role, id, active),
      typeOf: (resource) => resourceTypes.find((type) => this.model.get(type, resource)) ?? null,
    });
    this.connections[role].set(id, connection);
  }

  /** IS-05 Interoperability: IS-04, Version Increments and Identifying Active Connections. */
  private follow(role: EndpointRole, id: string, active: Parameters): void {
    const isActive = active.master_enable;
    if (role === 'receiver') {
      const receiver = this.model.get('receiver', id);
      const subscription = { sender_id: isActive ? active.peerId : null, active: isActive };
      if (receiver) this.model.set('receiver', { ...receiver, subscription });
      return;
    }
    const sender = this.model.get('sender', id);
    const sendsToOne = this.transports.get(id)?.sender.sendsToOne(active.legs) ?? false;
    const subscription = { receiver_id: isActive && sendsToOne ? active.peerId : null, active: isActive };
    if (sender) this.model.set('sender', { ...sender, subscription });
  }

  private transportFile(id: string): { type: string; data: string } | null {
    const sender = this.model.get('sender', id);
    const connection = this.connections.sender.get(id);
    const file = this.transports.get(id)?.sender.file;
    if (!sender || !connection || !file) return null;
    const flow = sender.flow_id === null ? undefined : this.model.get('flow', sender.flow_id);
    const source = flow && this.model.get('source', flow.source_id);
    const described = { flow: flow ?? null, source: source ?? null };
    const sessionVersion = this.sessionVersions.of(id, [sender, described.flow, described.source]);
    const facts: FileFacts = {
      ...{ label: sender.label, sessionVersion, sessionId: sessionIdOf(id), ...described },
      clockPortId: this.options.interfaces[0]?.portId ?? '00-00-00-00-00-00',
    };
    return file(connection.active.legs, facts);
  }

  private bindings(legs: number): string[] {
    const names = this.options.interfaces.map(({ name }) => name);
    return names.length === 0
      ? []
      : Array.from({ length: legs }, (_, index) => names[index % names.length] ?? '');
  }
}

/** A number of its own for each sender, RFC 4566 section 5.2. */
function sessionIdOf(id: string): string {
  return String(Number.parseInt(id.slice(0, 8), 16));
}
