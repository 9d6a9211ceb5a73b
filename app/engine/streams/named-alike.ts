import { badInput, type WhitelineError } from '../../protocol/errors';
import type { DiscoveredSource } from '../../protocol/records';

/** Senders that a typed name, in full or the part in brackets, may mean: a full name with its addresses for each. */
export function sendersNamed(
  name: string,
  listed: readonly DiscoveredSource[],
): { fullName: string; addresses: string[] }[] {
  const senders = new Map<string, Set<string>>();
  for (const { name: fullName, address } of listed) {
    if (fullName !== name && !fullName.endsWith(` (${name})`)) continue;
    const addresses = senders.get(fullName) ?? new Set();
    if (address !== '') addresses.add(address);
    senders.set(fullName, addresses);
  }
  return [...senders].map(([fullName, addresses]) => ({ fullName, addresses: [...addresses].sort() }));
}

/** Null if the name means one sender. */
export function severalNamed(name: string, listed: readonly DiscoveredSource[]): WhitelineError | null {
  const senders = sendersNamed(name, listed);
  const [first] = senders;
  if (senders.length < 2 || !first) return null;
  const found = senders.map(({ fullName, addresses }) => `${fullName} at ${addresses.join(', ') || '?'}`);
  return badInput(
    'names',
    `the name of one sender (there are ${found.join(' and ')})`,
    name,
    `Give a full name, or an address: --address ${first.addresses[0] ?? '192.0.2.7:5961'}`,
  );
}

/**
 * One name at several addresses: two machines of one name, or one machine with several interfaces, which discovery does not tell
 * apart. Null if there is one address.
 */
export function severalAddresses(name: string, listed: readonly DiscoveredSource[]): string | null {
  const machines = new Map<string, string>();
  for (const address of sendersNamed(name, listed).flatMap(({ addresses }) => addresses)) {
    const machine = address.replace(/:\d+$/, '');
    // A sender of this machine is listed at loopback too.
    if (!machine.startsWith('127.')) machines.set(machine, address);
  }
  const addresses = [...machines.values()];
  if (addresses.length < 2) return null;
  return `${name} is listed at ${addresses.join(' and ')}. If these are two machines, choose one with --address ${addresses[0]}`;
}
