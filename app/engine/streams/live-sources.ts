import type { LiveSource } from '../../protocol/console';
import type { DiscoveredSource } from '../../protocol/records';
import type { Stream } from './stream';

type Own = Pick<Stream, 'fullName' | 'source' | 'framesPerSecond'>;
type Followed = Pick<Stream, 'sourceName' | 'followedBy' | 'receiver' | 'framesPerSecond'>;
type Known = Pick<LiveSource, 'sender' | 'format'>;

/** If the console has followed more sources than this, the oldest has to be identified again. */
const mostKnown = 1000;

/** Sources on the network. Size, rate and kind are known once a source was followed. */
export class LiveSources {
  private readonly known = new Map<string, Known>();

  /** One entry for each name, in the order of the alphabet: a sender is listed once for each way to its machine. */
  list(
    discovered: readonly DiscoveredSource[],
    own: readonly Own[],
    followed: readonly Followed[],
  ): LiveSource[] {
    this.learn(followed);
    const byName = new Map<string, LiveSource>();
    for (const { name, address } of discovered) {
      const source = byName.get(name) ?? { name, addresses: [], ...this.knownOf(name, own) };
      if (address !== '' && !source.addresses.includes(address)) source.addresses.push(address);
      byName.set(name, source);
    }
    return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  }

  private learn(followed: readonly Followed[]): void {
    for (const { sourceName, followedBy, receiver, framesPerSecond } of followed) {
      if (followedBy === null || !receiver || receiver.width === 0) continue;
      const { width, height } = receiver;
      const sender = followedBy === 'code' ? 'whiteline' : 'other';
      this.known.delete(sourceName);
      this.known.set(sourceName, { sender, format: { width, height, framesPerSecond } });
    }
    for (const name of this.known.keys()) if (this.known.size > mostKnown) this.known.delete(name);
  }

  private knownOf(name: string, own: readonly Own[]): Known {
    const ours = own.find(({ fullName }) => fullName === name);
    if (ours) {
      const { width, height } = ours.source.format;
      return { sender: 'own', format: { width, height, framesPerSecond: ours.framesPerSecond } };
    }
    const sender = / \(Whiteline\b/.test(name) ? 'whiteline' : 'other';
    return this.known.get(name) ?? { sender, format: null };
  }
}
