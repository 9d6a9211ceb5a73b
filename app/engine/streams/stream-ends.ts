import type { CaptureLogs } from './capture-logs';
import type { OpenSources } from './open-sources';
import { senderAddress } from './sender-address';
import type { Stream } from './stream';
import type { StreamHosts } from './stream-hosts';

export interface StreamEndsOptions {
  /** Senders send their records along the NDI connection. */
  shareRecords: boolean;
}

/** The two ends of each stream in the processes that they live in: its sender, and its receiver. */
export class StreamEnds {
  constructor(
    private readonly hosts: StreamHosts,
    private readonly sources: OpenSources,
    private readonly options: StreamEndsOptions,
    private readonly logs: CaptureLogs,
  ) {}

  /** @throws WhitelineError NAME_IN_USE where another sender of this machine has the name */
  async openSender(stream: Stream, audio: boolean): Promise<void> {
    const fullName = await this.sources.hostOf(stream.source).request({
      name: 'openSender',
      streamId: stream.id,
      sourceId: stream.source.id,
      senderName: stream.name,
      shareRecords: this.options.shareRecords,
      audio,
    });
    if (typeof fullName === 'string') stream.fullName = fullName;
  }

  async closeSender({ id, source }: Stream): Promise<void> {
    await this.sources.hostOf(source).request({ name: 'closeSender', streamId: id });
  }

  async openReceiver(stream: Stream): Promise<void> {
    const host = this.hosts.receiverOf(stream);
    await host.request({
      name: 'openReceiver',
      streamId: stream.id,
      sourceName: stream.fullName,
      // Of a process of its own here, no other machine knows the port.
      address: host.machine ? undefined : this.addressOf(stream),
      ...this.logs.open(stream, host.machine, host.life),
      // One machine has one clock.
      askTime: false,
    });
  }

  async closeReceiver(stream: Stream): Promise<void> {
    await this.hosts.receiverOf(stream).request({ name: 'closeReceiver', streamId: stream.id });
  }

  /** Opens the receiver anew, at the address of its sender's new process; one whose host died too is opened with that. */
  async moveReceiver(stream: Stream): Promise<void> {
    await this.closeReceiver(stream);
    await this.openReceiver(stream);
  }

  /** Of a sender in a process of its own; undefined: its name is looked up. */
  private addressOf({ source }: Stream): string | undefined {
    const [processId] = this.sources.ownHostOf(source)?.processIds ?? [];
    return processId === undefined ? undefined : senderAddress(processId);
  }
}
