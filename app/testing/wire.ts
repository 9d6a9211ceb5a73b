import { decodeMessage } from '../nmos/discovery/codec';
import type { Link, LinkInterface, Sender } from '../nmos/discovery/link';

const port = 5353;

/** Real messages of multicast DNS between stations, on a wire that can be cut. */
export class Wire {
  isWhole = true;
  private readonly stations = new Map<LinkInterface, Parameters<Link['onMessage']>[0][]>();

  link(address: string): Link {
    const own: LinkInterface = { name: 'eth0', address, netmask: '255.255.255.0' };
    const listeners: Parameters<Link['onMessage']>[0][] = [];
    this.stations.set(own, listeners);
    return {
      ...{ port, interfaces: [own] },
      onMessage: (listener) => {
        listeners.push(listener);
        return () => listeners.splice(listeners.indexOf(listener), 1);
      },
      send: (_, bytes) => this.carry(own, bytes),
      sendTo: async (_, bytes) => this.carry(own, bytes),
    };
  }

  /** Also to the one that sent it, as the system does. */
  private carry(from: LinkInterface, bytes: Buffer): void {
    const message = decodeMessage(bytes);
    if (!message) throw new Error('it is no message of DNS');
    for (const [own, listeners] of this.stations) {
      if (own !== from && !this.isWhole) continue;
      const sender: Sender = { interface: own, address: from.address, port };
      for (const listener of [...listeners]) queueMicrotask(() => listener(message, sender));
    }
  }
}
