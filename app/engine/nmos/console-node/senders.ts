import type { NmosNode } from '../../../nmos/node/nmos-node';
import { ndiNameOf } from './ndi-transport';
import type { NodeStreams, OwnStream } from './node-streams';
import { describeSender, removeSender } from './resources';

/** The senders of the console's node: one for each stream that its live run sends. */
export class Senders {
  /** By the ids of the streams. */
  private readonly known = new Map<number, OwnStream>();

  constructor(
    private readonly node: NmosNode,
    private readonly nodeStreams: NodeStreams,
  ) {}

  /** Takes the streams that came and went since the last look; whether there were any. */
  look(): boolean {
    const now = this.nodeStreams.own();
    let isOther = false;
    for (const [id, stream] of this.known) {
      if (now.some((one) => one.id === id)) continue;
      removeSender(this.node, stream);
      this.known.delete(id);
      isOther = true;
    }
    for (const stream of now) if (!this.known.has(stream.id) && this.add(stream)) isOther = true;
    return isOther;
  }

  /** @throws Error for a sender that is to be off */
  activate(isOn: boolean): void {
    if (!isOn) throw new Error('Controllers cannot switch off this sender: remove its stream in the console');
  }

  private add(stream: OwnStream): boolean {
    const name = ndiNameOf(stream.fullName);
    if (name === null) return false;
    const id = describeSender(this.node, stream, name);
    this.known.set(stream.id, stream);
    const leg = { machine_name: name.machine, source_name: name.source };
    this.node.reflect('sender', id, { master_enable: true, peerId: null, legs: [leg] });
    return true;
  }
}
