import type { LiveSource } from '../../protocol/console';
import type { DiscoveredSource } from '../../protocol/records';
import type { Stream } from './stream';

/** One entry for each name, in the order of the alphabet: a sender is listed once for each way to its machine. */
export function liveSourcesOf(
  discovered: readonly DiscoveredSource[],
  own: readonly Pick<Stream, 'fullName'>[],
): LiveSource[] {
  const byName = new Map<string, LiveSource>();
  for (const { name, address } of discovered) {
    const source = byName.get(name) ?? { name, addresses: [], sender: senderOf(name, own) };
    if (address !== '' && !source.addresses.includes(address)) source.addresses.push(address);
    byName.set(name, source);
  }
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

function senderOf(name: string, own: readonly Pick<Stream, 'fullName'>[]): LiveSource['sender'] {
  if (own.some(({ fullName }) => fullName === name)) return 'own';
  return / \(Whiteline\b/.test(name) ? 'whiteline' : 'other';
}
