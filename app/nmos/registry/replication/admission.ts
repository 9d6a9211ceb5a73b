import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Refusal } from '../../http/reply';

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** The addresses of a peer, by which it is recognized when it connects. */
export class PeerHost {
  private addresses: string[];

  /** @param host of a URL: an address, in brackets for IPv6, or a name */
  constructor(private readonly host: string) {
    const address = host.replace(/^\[|\]$/g, '');
    this.addresses = isIP(address) ? [address] : [];
  }

  /** Looks the name up again; without an answer, the known addresses stay. */
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

/** A registry that follows this one, and the address from which it connects. */
export interface Follower {
  address: string;
  instance: string;
}

/**
 * Which connection must end to make room for a newcomer from the same address: an earlier one of the same registry, else the oldest of a
 * registry that this one does not follow. A followed registry makes room only for another followed one.
 * @param connected oldest first
 * @param most how many may be connected from that address
 * @throws Refusal 503 if there is no room
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
