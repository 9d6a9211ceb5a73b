import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Whether a URL leads to this machine; false for a name that no one knows. */
export async function leadsHere(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isAddressHere(address));
}

/** Whether an address of IPv4 or IPv6, in any way to write it, is one of this machine. */
export function isAddressHere(address: string): boolean {
  const own = new BlockList();
  own.addSubnet('127.0.0.0', 8, 'ipv4');
  // The system takes "any address" of a destination for its own.
  for (const any of ['0.0.0.0', '::', '::1']) own.addAddress(any, familyOf(any));
  for (const entry of Object.values(networkInterfaces()).flatMap((entries = []) => entries))
    own.addAddress(entry.address, familyOf(entry.address));
  const [withoutZone = ''] = address.split('%');
  return own.check(withoutZone, familyOf(withoutZone));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
