import { isIPv4, isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { hostOf } from '../../protocol/network-address';

/** By what other machines reach this one. */
export interface Machine {
  hostName: string;
  /** Of its network cards, loopback and those that only a link knows left out. */
  addresses: readonly string[];
}

export const allIpv4 = '0.0.0.0';
const all = '::';
const linkLocal = /^(169\.254\.|fe[89ab])/i;

export function thisMachine(): Machine {
  const entries = Object.values(networkInterfaces()).flatMap((list = []) => list);
  const addresses = entries.filter(({ internal, address }) => !internal && !linkLocal.test(address));
  return { hostName: hostname(), addresses: addresses.map(({ address }) => address) };
}

/** At which addresses others reach a server that listens there: at loopback alone where the machine has no other address. */
export function reachedAt(listen: string, { addresses }: Machine): string[] {
  if (listen !== allIpv4 && listen !== all) return [listen];
  const own = addresses.filter((address) => listen === all || isIPv4(address));
  return own.length > 0 ? own : ['127.0.0.1'];
}

/** On this machine itself. */
export function ownAddress(listen: string): string {
  return listen === allIpv4 || listen === all ? '127.0.0.1' : listen;
}

/**
 * All that the certificate of that server names.
 * @param further names and addresses that operators gave
 */
export function certifiedHosts(listen: string, machine: Machine, further: readonly string[]): string[] {
  const own = ['localhost', '127.0.0.1', ...reachedAt(listen, machine), ...further];
  return [...new Set([...own, ...nameOf(machine)].map(canonical))].sort();
}

/** A host name that no certificate can have is left out. */
function nameOf({ hostName }: Machine): string[] {
  try {
    return [hostOf(hostName, 'hostName')];
  } catch {
    return [];
  }
}

/** One text for one host. */
function canonical(host: string): string {
  if (isIPv6(host)) return new URL(`http://[${host}]`).hostname.slice(1, -1);
  return host.toLowerCase().replace(/\.$/, '');
}
