import type { Addon, Receiver } from '../../native/addon/index';
import type { Clock } from '../protocol/clock';
import type { LogGap, ReceiverReport } from '../protocol/host';
import { audioRecords, captureRecords, clockRecords } from '../protocol/record-block';
import type { DiscoveredSource, Fault, ReceiverStatus } from '../protocol/records';
import type { TransportName } from '../protocol/transports';

export interface ReceiverSlotOptions {
  transport: TransportName;
  streamId: number;
  /** Full name, or over NDI the part in brackets. */
  sourceName: string;
  /** Connects there without looking the name up. */
  address?: string;
  captureLogPath?: string;
  captureLogMostBytes?: number;
  /** Asks the sender for its time. */
  askTime: boolean;
  /** From the monotonic clock to wall time, µs: questions and answers are stamped with both added. */
  wallOffsetUs: number;
}

/** At this rate, a step of the clock is noticed within a second. */
const timeRateHz = 5;

/** An address without connection for this long is given up: the source may have moved to another port. */
const disconnectedNs = 1.5e9;
/** So is one that never gave a picture: discovery may hold a stale address, "connected but no video". */
const silentNs = 2.5e9;
/** The SDK itself does not reconnect after a link was down for some seconds, so a receiver with one address tries again this often. */
const retryNs = 4e9;
/** And one that gave pictures, gives none for this long, and is not listed any more while another one is; or that is
 *  listed for this long as another source's. */
const movedNs = 2e9;
const movedThoughListedNs = 5e9;
/** A transport that blocks lets go of its pictures within that. */
const mostLogWaitMs = 1000;
const logLookMs = 10;

/** A receiver that waits for its source to be found, and tries its other addresses when one leads nowhere. */
export class ReceiverSlot {
  receiver: Receiver | null = null;
  private name = '';
  private listed: boolean | null = null;
  private stalls: Pick<Fault, 'first' | 'last'>[] = [];
  private address = '';
  private openedNs = 0;
  /** When this address was taken, when it was last connected, and the pictures that had come before it. */
  private addressNs = 0;
  private connectedNs = 0;
  private picturesBefore = 0;
  /** Addresses that were tried since the last connection. */
  private failures = 0;
  /** What its log lacks was told while it was open. */
  private isGapTold = false;
  /** When discovery last did not list this address as another source's. */
  private ownNs = 0;

  constructor(
    private readonly addon: Addon,
    private readonly options: ReceiverSlotOptions,
  ) {
    if (options.address) this.open(options.sourceName, options.address);
  }

  /** Called at each beat, with all sources that discovery lists now. */
  look(sources: readonly DiscoveredSource[]): void {
    const candidates = this.candidates(sources);
    if (!this.options.address) this.listed = candidates.length > 0;
    const nowNs = this.addon.monotonicNs();
    if (!this.isTaken(sources, candidates)) this.ownNs = nowNs;
    if (this.receiver && !this.leadsNowhere(this.receiver.status(), candidates, nowNs)) return;
    const tried = candidates.findIndex((source) => source.address === this.address);
    const next = candidates[(tried + 1) % candidates.length];
    if (!next) return;
    const isConnected = this.connectedNs === nowNs;
    if (next.address === this.address && (isConnected || nowNs - this.addressNs < retryNs)) return;
    if (!this.receiver) this.open(next.name, next.address);
    else this.receiver.connect({ name: this.nameFor(next, candidates), address: next.address });
    this.failures += 1;
    this.address = next.address;
    this.addressNs = nowNs;
    this.connectedNs = nowNs;
    this.picturesBefore = this.receiver?.status().picturesCaptured ?? 0;
  }

  private leadsNowhere(status: ReceiverStatus, candidates: DiscoveredSource[], nowNs: number): boolean {
    const { connections, picturesCaptured } = status;
    const isSilent = picturesCaptured === this.picturesBefore;
    // A transport that does not report its connections: pictures prove one, and silence is all that speaks against one.
    if (connections !== 0) this.connectedNs = nowNs;
    if (connections === null ? !isSilent : connections > 0) this.failures = 0;
    const silent = isSilent && nowNs - this.addressNs > silentNs;
    const disconnected = nowNs - this.connectedNs > disconnectedNs;
    return silent || disconnected || nowNs - this.ownNs > movedNs || this.hasMoved(status, candidates, nowNs);
  }

  /**
   * With a name NDI looks it up whenever it connects again, and takes any address that discovery lists, even one
   * where nothing answers. Without one it goes where it is sent, but is not the receiver that users have: a link too narrow
   * for it is met in another way.
   */
  private nameFor({ name }: DiscoveredSource, candidates: DiscoveredSource[]): string {
    return this.failures > 0 && candidates.length > 1 ? '' : name;
  }

  /** A sender that starts again may find its port taken by another one: what answers there now is not the source. */
  private isTaken(sources: readonly DiscoveredSource[], candidates: DiscoveredSource[]): boolean {
    const isHere = ({ address }: DiscoveredSource): boolean => address === this.address;
    return candidates.length > 0 && !candidates.some(isHere) && sources.some(isHere);
  }

  /**
   * A host that takes another address leaves NDI connected to the old one for minutes, and discovery may go on
   * listing that one as long.
   */
  private hasMoved(status: ReceiverStatus, candidates: DiscoveredSource[], nowNs: number): boolean {
    const quietNs = nowNs - Math.max(status.lastCaptureNs, this.addressNs);
    const isListed = candidates.some(({ address }) => address === this.address);
    const others = candidates.some(({ address }) => address !== this.address);
    return others && quietNs > (isListed ? movedThoughListedNs : movedNs);
  }

  /** Also those of a receiver that is not open yet. */
  setStalls(stalls: readonly Pick<Fault, 'first' | 'last'>[]): void {
    this.stalls = stalls.map(({ first, last }) => ({ first, last }));
    this.receiver?.setStalls(this.stalls);
  }

  report(): ReceiverReport {
    const { receiver } = this;
    const { streamId, askTime } = this.options;
    return {
      streamId,
      sourceName: this.name,
      address: this.address,
      openedNs: this.openedNs,
      listed: this.listed,
      captures: receiver?.drain() ?? captureRecords.empty(),
      audio: receiver?.drainAudio() ?? audioRecords.empty(),
      time: (askTime && receiver?.drainTime()) || clockRecords.empty(),
      status: receiver?.status() ?? null,
      metadata: receiver?.drainMetadata() ?? [],
      soundPeakDbfs: receiver?.takePeakDbfs() ?? null,
    };
  }

  /** What its log lacks, when that begins; null: nothing, or it was told. */
  takeLogGap(): LogGap | null {
    if (this.isGapTold) return null;
    const gap = this.gapOf(this.receiver, false);
    this.isGapTold = gap !== null;
    return gap;
  }

  close(): void {
    this.receiver?.close();
    this.receiver = null;
  }

  /** Closes it, and waits for its log. Gives what that lacks in all; null: nothing, or it is not known by then. */
  async closeWithLog(clock: Pick<Clock, 'sleep'>): Promise<LogGap | null> {
    const { receiver } = this;
    this.close();
    if (receiver === null || this.options.captureLogPath === undefined) return null;
    for (let waitedMs = 0; !receiver.captureLog()?.isEnded && waitedMs < mostLogWaitMs; waitedMs += logLookMs)
      await clock.sleep(logLookMs);
    return this.gapOf(receiver, true);
  }

  private gapOf(receiver: Receiver | null, isFinal: boolean): LogGap | null {
    const { streamId, captureLogPath } = this.options;
    const state = captureLogPath === undefined ? null : (receiver?.captureLog() ?? null);
    if (state === null || state.missing === 0) return null;
    return { streamId, frames: state.missing, why: state.why, isFinal };
  }

  /**
   * The source's addresses, each once. A source of this machine is listed under each of its own; loopback comes first,
   * so that no network card takes part.
   */
  private candidates(sources: readonly DiscoveredSource[]): DiscoveredSource[] {
    const { sourceName, address: given } = this.options;
    if (given) return [{ name: sourceName, address: given }];
    const byAddress = new Map<string, DiscoveredSource>();
    for (const source of sources) if (this.matches(source.name)) byAddress.set(source.address, source);
    const isLoopback = ({ address }: DiscoveredSource): number => Number(address.startsWith('127.'));
    return [...byAddress.values()].sort((a, b) => isLoopback(b) - isLoopback(a));
  }

  private matches(fullName: string): boolean {
    const { sourceName } = this.options;
    return fullName === sourceName || fullName.endsWith(` (${sourceName})`);
  }

  private open(name: string, address: string): void {
    const { transport, streamId, askTime, wallOffsetUs } = this.options;
    const { captureLogPath, captureLogMostBytes } = this.options;
    this.receiver = new this.addon.Receiver({
      transport,
      name,
      address: address || undefined,
      receiverName: `Whiteline receiver ${streamId}`,
      ...(captureLogPath !== undefined && { captureLogPath, captureLogMostBytes }),
      wallOffsetUs,
    });
    if (askTime) this.receiver.askTime({ rateHz: timeRateHz });
    if (this.stalls.length > 0) this.receiver.setStalls(this.stalls);
    this.name = name;
    this.address = address;
    this.openedNs = this.addon.monotonicNs();
    this.addressNs = this.openedNs;
    this.connectedNs = this.openedNs;
  }
}
