import {
  type Addon,
  type Finder,
  loadAddon,
  type NdiRuntime,
  type Sender,
  type Source,
} from '../../native/addon/index';
import { WhitelineError } from '../protocol/errors';
import type { HostCommand, HostReady, HostReplyValue, OpenSource, RecordsMessage } from '../protocol/host';
import type { DiscoveredSource } from '../protocol/records';
import { problemOf, senderProblemOf } from './problem';
import { ReceiverSlot } from './receiver-slot';
import { RecordSharing } from './record-sharing';

interface OpenSender {
  sender: Sender;
  sharing: RecordSharing | null;
}

const sourceStartMs = 12_000;

/**
 * Owns the native pipelines of one process. It carries out commands and drains records; it never touches a frame.
 * Order of destruction: receivers and senders, then sources, then the finder; the native core keeps libndi until last.
 */
export class Host {
  private readonly sources = new Map<number, Source>();
  private readonly senders = new Map<number, OpenSender>();
  private readonly slots = new Map<number, ReceiverSlot>();
  private addon: Addon | null = null;
  private runtime: NdiRuntime | null = null;
  private finder: Finder | null = null;
  private wallOffsetUs = 0;
  private ready: HostReady = { processId: process.pid, ndi: null, ndiProblem: null };

  receivers(): ReadonlyMap<number, ReceiverSlot> {
    return this.slots;
  }

  async execute(command: HostCommand): Promise<HostReplyValue> {
    switch (command.name) {
      case 'start':
        return this.start(command.ndiCandidates, command.wallOffsetUs);
      case 'openSource':
        await this.openSource(command.sourceId, command.options);
        return null;
      case 'closeSource':
        this.sources.get(command.sourceId)?.close();
        this.sources.delete(command.sourceId);
        return null;
      case 'openSender':
        return this.openSender(command);
      case 'closeSender':
        this.senders.get(command.streamId)?.sender.close();
        this.senders.delete(command.streamId);
        return null;
      case 'setFaults':
        this.senders.get(command.streamId)?.sender.setFaults(command.faults);
        return null;
      case 'openReceiver':
        this.requireFinder();
        this.slots.set(command.streamId, new ReceiverSlot(this.requireAddon(), { ...command }));
        return null;
      case 'closeReceiver':
        this.slots.get(command.streamId)?.close();
        this.slots.delete(command.streamId);
        return null;
      case 'discover':
        return this.discover(command.seconds);
      case 'flush':
        return null;
    }
  }

  private async discover(seconds: number): Promise<DiscoveredSource[]> {
    const finder = this.requireFinder();
    await delay(seconds * 1000);
    return finder.sources();
  }

  /** Everything that was recorded since the last call. */
  drain(): RecordsMessage {
    if (this.finder) for (const slot of this.slots.values()) slot.look(this.finder);
    const processIds = [process.pid];
    const sources = [...this.sources].map(([sourceId, source]) => {
      const status = source.status();
      if (status.commandProcessId > 0) processIds.push(status.commandProcessId);
      return { sourceId, status, records: source.drain() };
    });
    const senders = [...this.senders].map(([streamId, { sender, sharing }]) => {
      const { firstSlot, connections } = sender.status();
      const report = {
        streamId,
        firstSlot,
        connections,
        submits: sender.drain(),
        misses: sender.drainMisses(),
      };
      sharing?.share(report, sender);
      return report;
    });
    const receivers = [...this.slots.values()].map((slot) => slot.report());
    return { type: 'records', atNs: this.addon?.monotonicNs() ?? 0, processIds, sources, senders, receivers };
  }

  close(): void {
    for (const slot of this.slots.values()) slot.close();
    for (const { sender } of this.senders.values()) sender.close();
    for (const source of this.sources.values()) source.close();
    this.finder?.close();
  }

  private start(ndiCandidates: string[], wallOffsetUs: number): HostReady {
    this.wallOffsetUs = wallOffsetUs;
    try {
      this.addon = loadAddon();
      this.runtime = this.addon.loadNdi(ndiCandidates);
      this.ready = {
        processId: process.pid,
        ndi: { path: this.runtime.path, version: this.runtime.version },
        ndiProblem: null,
      };
    } catch (error) {
      this.ready = { processId: process.pid, ndi: null, ndiProblem: problemOf(error) };
    }
    return this.ready;
  }

  private async openSource(sourceId: number, options: OpenSource): Promise<void> {
    const addon = this.requireAddon();
    const source = new addon.Source({ ...options, wallOffsetUs: this.wallOffsetUs });
    this.sources.set(sourceId, source);
    const limitNs = addon.monotonicNs() + sourceStartMs * 1e6;
    while (source.status().state === 'starting' && addon.monotonicNs() < limitNs) await delay(10);
    const { state, message } = source.status();
    if (state === 'running') return;
    this.sources.delete(sourceId);
    source.close();
    throw new WhitelineError({
      code: 'MOVIE_UNREADABLE',
      message: `The source did not start: ${message || 'no picture came'}`,
      field: 'source',
      remedy: 'Choose another movie, or check that ffmpeg can play this one',
    });
  }

  private openSender(command: Extract<HostCommand, { name: 'openSender' }>): string {
    this.requireNdi();
    const source = this.sources.get(command.sourceId);
    if (!source) throw new Error(`openSender names source ${command.sourceId}, which is not open`);
    const sender = this.newSender(source, command.senderName, command.streamId);
    const sharing = command.shareRecords
      ? new RecordSharing(command.streamId, source, this.wallOffsetUs)
      : null;
    this.senders.set(command.streamId, { sender, sharing });
    return sender.status().sourceName;
  }

  private newSender(source: Source, name: string, senderId: number): Sender {
    const { Sender: NativeSender } = this.requireAddon();
    try {
      return new NativeSender({ source, name, senderId });
    } catch (error) {
      throw senderProblemOf(error, name);
    }
  }

  private requireAddon(): Addon {
    if (!this.addon) this.throwNotReady();
    return this.addon as Addon;
  }

  private requireNdi(): void {
    if (!this.runtime) this.throwNotReady();
  }

  /** The finder starts with the first search: it costs threads, and a sending host needs none. */
  private requireFinder(): Finder {
    this.requireNdi();
    this.finder ??= new (this.requireAddon().Finder)({ extraAddresses: ['127.0.0.1'] });
    return this.finder;
  }

  private throwNotReady(): never {
    throw new WhitelineError(
      this.ready.ndiProblem ?? { code: 'NDI_MISSING', message: 'The stream host was not started' },
    );
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
