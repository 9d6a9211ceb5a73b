import type { HostSettings } from '../../engine/streams/stream-host';
import { carriedBytes, closeAll, createNamespaces, type Namespace } from '../../engine/tools/namespace';

export const ownSender = 'wlp0';
export const ownReceiver = 'wlp1';
/** For what is no raw frame. */
const senderAddress = '10.79.1.1';
const receiverAddress = '10.79.1.2';

/** Two interfaces in namespaces of their own, joined by a cable in memory. The kernel takes all away when their holders are gone. */
export class OwnNetwork {
  private constructor(
    readonly sender: Namespace,
    readonly receiver: Namespace,
  ) {}

  /** @throws WhitelineError TOOL_FAILED if namespaces are not permitted */
  static async create(): Promise<OwnNetwork> {
    const opened = await createNamespaces(2);
    try {
      const [sender, receiver] = opened;
      if (!sender || !receiver) throw new Error('There are two ends');
      const peer = ['type', 'veth', 'peer', 'name', ownReceiver, 'netns', receiver.id];
      await sender.run('ip', 'link', 'add', ownSender, ...peer);
      await sender.run('ip', 'link', 'set', ownSender, 'up');
      await receiver.run('ip', 'link', 'set', ownReceiver, 'up');
      return new OwnNetwork(sender, receiver);
    } catch (error) {
      await closeAll(opened);
      throw error;
    }
  }

  /** Programs at the two ends find each other over the cable; gives what stream hosts are started with to be there. */
  async join(): Promise<Pick<HostSettings, 'senderNamespace' | 'receiverNamespace' | 'searchHosts'>> {
    const { sender, receiver } = this;
    await sender.run('ip', 'address', 'add', `${senderAddress}/24`, 'dev', ownSender);
    await receiver.run('ip', 'address', 'add', `${receiverAddress}/24`, 'dev', ownReceiver);
    for (const end of [sender, receiver]) await end.run('ip', 'link', 'set', 'lo', 'up');
    const [senderNamespace, receiverNamespace] = [sender, receiver].map(({ id }) => `/proc/${id}/ns/net`);
    return { senderNamespace, receiverNamespace, searchHosts: [senderAddress] };
  }

  /** Bytes that went from sender to receiver so far. */
  carriedBytes(): number {
    return carriedBytes(this.sender.id, ownSender).transmitted;
  }

  async close(): Promise<void> {
    await closeAll([this.sender, this.receiver]);
  }
}
