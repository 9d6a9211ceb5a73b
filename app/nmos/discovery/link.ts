import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from '../../protocol/clock';
import { badInput, WhitelineError } from '../../protocol/errors';
import { interfacesWith } from '../interfaces';
import { type DnsMessage, decodeMessage } from './codec';

/** RFC 6762 section 3. */
const usualGroup = '224.0.0.251';
const usualPort = 5353;

/** An IPv4 address of an interface, over which multicast DNS is spoken. */
export interface LinkInterface {
  name: string;
  address: string;
  netmask: string;
}

export interface Sender {
  interface: LinkInterface;
  address: string;
  port: number;
}

export interface LinkOptions {
  /** The interfaces with these addresses are used, and no other one. */
  hosts: readonly string[];
  /** Of a closed circle of its own, for tests. */
  port?: number;
  clock: Clock;
}

/** Messages of multicast DNS in and out. */
export interface Link {
  readonly port: number;
  readonly interfaces: readonly LinkInterface[];
  onMessage(listener: (message: DnsMessage, from: Sender) => void): () => void;
  /** To all on the link of this interface. */
  send(own: LinkInterface, bytes: Buffer): void;
  /** Resolves when the system has it. */
  sendTo(own: LinkInterface, bytes: Buffer, to: { address: string; port: number }): Promise<void>;
}

/**
 * Multicast DNS on interfaces that were named, a socket for each: messages in, messages out. The packages that speak multicast DNS
 * listen on all interfaces; the coding of messages is a package's. IPv4 only.
 */
export class MulticastLink implements Link {
  private readonly listeners = new Set<(message: DnsMessage, from: Sender) => void>();

  private constructor(
    private readonly sockets: ReadonlyMap<LinkInterface, Socket>,
    readonly port: number,
  ) {
    for (const [own, socket] of sockets) {
      // A cable that is pulled or an address that is gone: what was to be sent is lost, as any datagram may be.
      socket.on('error', () => {});
      socket.on('message', (bytes, { address, port: from }) => this.take(bytes, own, address, from));
    }
  }

  /** @throws WhitelineError BAD_INPUT for an address of no interface; TOOL_FAILED where the system refuses a socket */
  static async open({ hosts, port = usualPort, clock }: LinkOptions): Promise<MulticastLink> {
    const sockets = new Map<LinkInterface, Socket>();
    try {
      const usable = hosts.filter(isIPv4);
      if (usable.length === 0) throw badInput('host', 'an IPv4 address for multicast DNS', hosts.join(' '));
      for (const { name, addresses } of await interfacesWith(usable, clock, 'IPv4')) {
        const own = linkInterface(name, addresses);
        sockets.set(own, await openSocket(own, port));
      }
    } catch (error) {
      for (const socket of sockets.values()) socket.close();
      throw error;
    }
    return new MulticastLink(sockets, port);
  }

  get interfaces(): LinkInterface[] {
    return [...this.sockets.keys()];
  }

  onMessage(listener: (message: DnsMessage, from: Sender) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  send(own: LinkInterface, bytes: Buffer): void {
    this.sendTo(own, bytes, { address: usualGroup, port: this.port });
  }

  sendTo(own: LinkInterface, bytes: Buffer, to: { address: string; port: number }): Promise<void> {
    return new Promise((resolve) => {
      const socket = this.sockets.get(own);
      if (!socket) return resolve();
      socket.send(bytes, to.port, to.address, () => resolve());
    });
  }

  async close(): Promise<void> {
    this.listeners.clear();
    await Promise.all(
      [...this.sockets.values()].map(
        (socket) => new Promise<void>((resolve) => socket.close(() => resolve())),
      ),
    );
  }

  private take(bytes: Buffer, own: LinkInterface, address: string, port: number): void {
    // Linux hands a socket what came in by any interface on which some program listens to the group.
    if (!isInNetwork(address, own)) return;
    const message = decodeMessage(bytes);
    if (message === null) return;
    for (const listener of this.listeners) listener(message, { interface: own, address, port });
  }
}

/** @throws Error for one that went down since it was found */
function linkInterface(name: string, addresses: readonly string[]): LinkInterface {
  const found = networkInterfaces()[name]?.find(({ address }) => addresses.includes(address));
  if (!found) throw new Error(`The interface ${name} went down`);
  return { name, address: found.address, netmask: found.netmask };
}

function openSocket({ name, address }: LinkInterface, port: number): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.close();
      reject(
        new WhitelineError({
          code: 'TOOL_FAILED',
          message: `Cannot open multicast DNS on ${name} (${address}, port ${port}): ${error.message}`,
          remedy: 'End the program that holds the port exclusively, or use another interface',
        }),
      );
    };
    socket.once('error', fail);
    // Bound to the group, it gets nothing that is sent to this machine alone. Windows binds to no group (untested).
    socket.bind({ port, address: process.platform === 'win32' ? address : usualGroup }, () => {
      try {
        socket.addMembership(usualGroup, address);
        socket.setMulticastInterface(address);
        socket.setMulticastTTL(255);
        socket.setMulticastLoopback(true);
      } catch (error) {
        return fail(error instanceof Error ? error : new Error(String(error)));
      }
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** Both of IPv4. */
export function isInNetwork(
  address: string,
  { address: own, netmask }: Pick<LinkInterface, 'address' | 'netmask'>,
): boolean {
  const mask = numberOf(netmask);
  return ((numberOf(address) ^ numberOf(own)) & mask) === 0;
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0);
}
