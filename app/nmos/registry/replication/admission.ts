import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Refusal } from '../../http/reply';

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** The addresses of a peer, by which it is known when it connects here. */
export class PeerHost {
  private addresses: string[];

  /** @param host of a URL: an address, in brackets for IPv6, or a name */
  constructor(private readonly host: string) {
    const address = host.replace(/^\[|\]$/g, '');
    this.addresses = isIP(address) ? [address] : [];
  }

  /** Asks for the addresses of a name again; those that were known stay where there is no answer. */
  async look(): Promise<void> {
    if (isIP(this.host) || this.host.startsWith('[')) return;
    const found = await lookup(this.host, { all: true }).catch(() => []);
    if (found.length > 0) this.addresses = found.map(({ address }) => address);
  }

  get isLoopback(): boolean {
    return this.host === 'localhost' || this.addresses.some(isLoopback);
  }

  has(address: string): boolean {
    return this.addresses.includes(address.replace(/^::ffff:/, ''));
  }
}

/** A registry that follows this one: where it connects from, and what it says that it is. */
export interface Follower {
  address: string;
  instance: string;
}

/**
 * Which of those that are connected has to leave for a newcomer, where its address has no more room: an earlier connection of the same
 * registry, else the oldest of a registry that this one does not follow. Of those that it follows, one leaves only for another one.
 * @param connected oldest first
 * @param most how many may be connected from that address
 * @throws Refusal 503 where the newcomer has to stay away
 */
export function leaving<One extends Follower>(
  connected: readonly One[],
  newcomer: Follower,
  most: number,
  isFollowed: (instance: string) => boolean,
): One | null {
  const same = connected.find(({ instance }) => instance === newcomer.instance);
  if (same) return same;
  const there = connected.filter(({ address }) => address === newcomer.address);
  if (there.length < most) return null;
  const stranger = there.find(({ instance }) => !isFollowed(instance));
  if (!stranger && !isFollowed(newcomer.instance))
    throw new Refusal(
      503,
      `all places for registries at ${newcomer.address} are taken by peers of the one that was asked: name each with --peer there`,
    );
  return stranger ?? there[0] ?? null;
}
