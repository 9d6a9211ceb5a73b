import type { Addon, Finder, Receiver } from '../../native/addon/index';
import type { ReceiverReport } from '../protocol/host';
import type { DiscoveredSource, ReceiverStatus } from '../protocol/records';
import { emptyCaptures } from './empty-records';

export interface ReceiverSlotOptions {
  streamId: number;
  /** Full NDI name, or the part in brackets. */
  sourceName: string;
  /** Connects there without looking the name up. */
  address?: string;
  captureLogPath?: string;
}

/** An address without connection for this long is given up: the source may have moved to another port. */
const disconnectedNs = 1.5e9;
/** So is one that never gave a picture: discovery may hold a stale address, "connected but no video". */
const silentNs = 2.5e9;

/** A receiver that waits for its source to be found, and tries its other addresses when one leads nowhere. */
export class ReceiverSlot {
  receiver: Receiver | null = null;
  private name = '';
  private address = '';
  private openedNs = 0;
  /** When this address was taken, when it was last connected, and the pictures that had come before it. */
  private addressNs = 0;
  private connectedNs = 0;
  private picturesBefore = 0;

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
    if (this.receiver && !this.leadsNowhere(this.receiver.status(), nowNs)) return;
    const candidates = this.candidates(finder);
    const tried = candidates.findIndex((source) => source.address === this.address);
    const next = candidates[(tried + 1) % candidates.length];
    if (!next) return;
    if (!this.receiver) this.open(next.name, next.address);
    else if (next.address !== this.address) this.receiver.connect({ name: next.name, address: next.address });
    this.address = next.address;
    this.addressNs = nowNs;
    this.connectedNs = nowNs;
    this.picturesBefore = this.receiver?.status().picturesCaptured ?? 0;
  }

  private leadsNowhere(status: ReceiverStatus, nowNs: number): boolean {
    if (status.connections > 0) this.connectedNs = nowNs;
    const silent = status.picturesCaptured === this.picturesBefore && nowNs - this.addressNs > silentNs;
    return silent || nowNs - this.connectedNs > disconnectedNs;
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

  /**
   * The source's addresses, each once. A source of this machine is listed under each of its own; loopback comes first,
   * so that no network card takes part.
   */
  private candidates(finder: Finder): DiscoveredSource[] {
    const byAddress = new Map<string, DiscoveredSource>();
    for (const source of finder.sources())
      if (this.matches(source.name)) byAddress.set(source.address, source);
    const isLoopback = ({ address }: DiscoveredSource): number => Number(address.startsWith('127.'));
    return [...byAddress.values()].sort((a, b) => isLoopback(b) - isLoopback(a));
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
  }
}
