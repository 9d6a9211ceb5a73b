import type { Addon, Finder, Receiver } from '../../native/addon/index';
import type { ReceiverReport } from '../protocol/host';
import { emptyCaptures } from './empty-records';

export interface ReceiverSlotOptions {
  streamId: number;
  /** Full NDI name, or the part in brackets. */
  sourceName: string;
  /** Connects there without looking the name up. */
  address?: string;
  captureLogPath?: string;
}

/** A source that has no connection for this long is looked up again: it may have moved to another port. */
const lookAgainAfterNs = 1.5e9;

/** A receiver that waits for its source to be found, and follows it when it comes back under another address. */
export class ReceiverSlot {
  receiver: Receiver | null = null;
  private name = '';
  private address = '';
  private openedNs = 0;
  private connectedNs = 0;

  constructor(
    private readonly addon: Addon,
    private readonly options: ReceiverSlotOptions,
  ) {
    if (options.address) this.open(options.sourceName, options.address);
  }

  /** Called ten times a second. */
  look(finder: Finder): void {
    if (this.options.address) return;
    const nowNs = this.addon.monotonicNs();
    if (this.receiver && this.receiver.status().connections > 0) {
      this.connectedNs = nowNs;
      return;
    }
    if (this.receiver && nowNs - this.connectedNs < lookAgainAfterNs) return;
    const matches = finder.sources().filter((source) => this.matches(source.name));
    // A source of this machine is listed under each of its addresses; over loopback no network card takes part.
    const found = matches.find((source) => source.address.startsWith('127.')) ?? matches[0];
    if (!found) return;
    if (!this.receiver) this.open(found.name, found.address);
    else if (found.address !== this.address) {
      this.address = found.address;
      this.receiver.connect({ name: found.name, address: found.address });
      this.connectedNs = nowNs;
    }
  }

  report(): ReceiverReport {
    const { receiver } = this;
    return {
      streamId: this.options.streamId,
      sourceName: this.name,
      address: this.address,
      openedNs: this.openedNs,
      captures: receiver?.drain() ?? emptyCaptures(),
      status: receiver?.status() ?? null,
      metadata: receiver?.drainMetadata() ?? [],
    };
  }

  close(): void {
    this.receiver?.close();
    this.receiver = null;
  }

  private matches(fullName: string): boolean {
    const { sourceName } = this.options;
    return fullName === sourceName || fullName.endsWith(` (${sourceName})`);
  }

  private open(name: string, address: string): void {
    const { streamId, captureLogPath } = this.options;
    this.receiver = new this.addon.Receiver({
      name,
      address: address || undefined,
      receiverName: `Whiteline receiver ${streamId}`,
      captureLogPath,
    });
    this.name = name;
    this.address = address;
    this.openedNs = this.addon.monotonicNs();
    this.connectedNs = this.openedNs;
  }
}
