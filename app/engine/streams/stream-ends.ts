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

  /** @throws WhitelineError NAME_IN_USE if another sender of this machine has the name */
  async openSender(stream: Stream, audio: boolean): Promise<void> {
    const fullName = await this.sources.hostOf(stream.source).request({
      name: 'openSender',
      streamId: stream.id,
      sourceId: stream.source.id,
      senderName: stream.ndiName,
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
      // No other machine knows the port of a separate process here.
      address: host.machine ? undefined : this.addressOf(stream),
      ...this.logs.open(stream, host.machine, host.life),
      // One machine has one clock.
      askTime: false,
    });
  }

  async closeReceiver(stream: Stream): Promise<void> {
    await this.hosts.receiverOf(stream).request({ name: 'closeReceiver', streamId: stream.id });
  }

  /**
   * Opens the receiver again, at the address of its sender's new process. If the receiver's host died too, the new host opens it with that
   * address.
   */
  async moveReceiver(stream: Stream): Promise<void> {
    await this.closeReceiver(stream);
    await this.openReceiver(stream);
  }

  /** The address of a sender in a separate process; undefined: its name is looked up. */
  private addressOf({ source }: Stream): string | undefined {
    const [processId] = this.sources.ownHostOf(source)?.processIds ?? [];
    return processId === undefined ? undefined : senderAddress(processId);
  }
}
