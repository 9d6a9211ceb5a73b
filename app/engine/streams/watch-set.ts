import { WhitelineError } from '../../protocol/errors';
import type { VideoFormat } from '../../protocol/format';
import type { HostReady, ReceiverReport, RecordsMessage } from '../../protocol/host';
import type { MissRecords, SubmitRecords } from '../../protocol/records';
import { CodeStatus, MissCause } from '../../protocol/records';
import { parseSharedRecords, type SharedRecords } from '../../protocol/shared-records';
import { monotonicNs } from '../clock';
import type { HostApplication } from '../host-application';
import { type Schedule, slotPeriodNs } from './counting/schedule';
import { SourceLedger } from './counting/source-ledger';
import { StreamLedger } from './counting/stream-ledger';
import { ActiveSource, Stream } from './stream';
import { StreamHost } from './stream-host';
import type { NoteEvent } from './stream-set';

export interface WatchSetOptions {
  application: HostApplication;
  ndiCandidates: string[];
  wallOffsetUs: number;
  /** Names this start of this machine; a sender that says the same shares our monotonic clock. */
  boot: string;
  noteEvent: NoteEvent;
}

/** A sender that sends its records along does so four times a second; after this long without it has none to send. */
const waitForRecordsNs = 1e9;

/** Streams whose senders live elsewhere: one receiving process, and what the senders tell over the NDI connection. */
export class WatchSet {
  readonly streams: Stream[] = [];
  deaths = 0;
  private readonly host: StreamHost;
  private readonly nobody = new ActiveSource(0, '', {
    width: 0,
    height: 0,
    rate: { numerator: 30, denominator: 1 },
  });
  private readonly told = new Map<Stream, SharedRecords[]>();

  constructor(private readonly options: WatchSetOptions) {
    this.host = new StreamHost('receiving', options.application.spawnStreamHost('receiving'), {
      onRecords: (message) => this.ingest(message),
      onDeath: (exitCode) => {
        this.deaths += 1;
        options.noteEvent('host-died', `The receiving process ended with code ${exitCode}`, { exitCode });
      },
    });
  }

  start(): Promise<HostReady> {
    return this.host.start(this.options.ndiCandidates, this.options.wallOffsetUs);
  }

  processIds(): number[] {
    return this.host.processIds;
  }

  async add(name: string, address?: string): Promise<Stream> {
    const id = this.streams.length + 1;
    const stream = new Stream(id, name, this.nobody, monotonicNs(), this.options.wallOffsetUs);
    this.streams.push(stream);
    await this.host.request({ name: 'openReceiver', streamId: id, sourceName: name, address });
    this.options.noteEvent('stream-added', name, { streams: this.streams.length }, id);
    return stream;
  }

  async flush(): Promise<void> {
    // What a host that died still had is lost, and its row is INVALID.
    await this.host.request({ name: 'flush' }).catch(() => undefined);
  }

  close(): void {
    this.host.close();
  }

  private ingest(message: RecordsMessage): void {
    for (const report of message.receivers) {
      const stream = this.streams.find((candidate) => candidate.id === report.streamId);
      if (!stream) continue;
      stream.addReceiverReport(report, message.atNs);
      const told = this.told.get(stream) ?? [];
      for (const xml of report.metadata) {
        const records = parseSharedRecords(xml);
        if (records) told.push(records);
      }
      this.told.set(stream, told);
      if (!stream.ledger) this.begin(stream, report, told, message.atNs);
      if (stream.ledger) this.addTold(stream.ledger, told.splice(0));
    }
  }

  /** Starts to count when it is known what the pictures are, and whether the sender's records come along. */
  private begin(stream: Stream, report: ReceiverReport, told: SharedRecords[], nowNs: number): void {
    const first = firstCoded(stream);
    const { status } = report;
    if (!first || !status || status.width === 0) return;
    const rate = { numerator: status.rateNumerator, denominator: status.rateDenominator };
    const format: VideoFormat = { width: status.width, height: status.height, rate };
    const records = told.find((candidate) => candidate.sourceId === first.sourceId);
    if (!records && nowNs - first.captureNs < waitForRecordsNs) return;
    const sameClock = records !== undefined && records.boot !== '' && records.boot === this.options.boot;
    const schedule: Schedule = {
      startNs: sameClock ? records.startNs : first.captureNs - first.frameNumber * slotPeriodNs(rate),
      rate,
    };
    const source = new ActiveSource(stream.id, stream.name, format);
    const firstSlot = records ? lowest([...records.submitted, ...records.missed]) : first.frameNumber;
    source.ledger = new SourceLedger(schedule, firstSlot ?? first.frameNumber);
    const ledger = new StreamLedger(source.ledger, {
      sourceId: first.sourceId,
      senderId: records?.senderId ?? 0,
      firstSlot: firstSlot ?? first.frameNumber,
      assumeSubmitted: records === undefined,
      wallOffsetUs: sameClock ? records.wallOffsetUs : null,
    });
    stream.follow(source, ledger);
    this.options.noteEvent(
      'stream-connected',
      `${stream.name} (${records ? 'with' : 'without'} the sender’s records)`,
      {},
      stream.id,
    );
  }

  private addTold(ledger: StreamLedger, told: SharedRecords[]): void {
    if (ledger.identity.assumeSubmitted) return;
    for (const records of told) {
      if (records.sourceId !== ledger.identity.sourceId) continue;
      ledger.addSubmits(submitColumns(records.submitted));
      ledger.addMisses(missColumns(records.missed));
      for (const slot of [...records.submitted, ...records.missed]) ledger.source.assume(slot);
    }
  }
}

function firstCoded(stream: Stream): { sourceId: number; frameNumber: number; captureNs: number } | null {
  for (const captures of stream.early) {
    const index = captures.status.findIndex((status) => status !== CodeStatus.Undecodable);
    if (index < 0) continue;
    return {
      sourceId: captures.sourceId[index] ?? 0,
      frameNumber: captures.frameNumber[index] ?? 0,
      captureNs: captures.captureNs[index] ?? 0,
    };
  }
  return null;
}

function lowest(numbers: number[]): number | null {
  return numbers.reduce<number | null>(
    (least, value) => (least === null ? value : Math.min(least, value)),
    null,
  );
}

function submitColumns(frameNumbers: number[]): SubmitRecords {
  const frameNumber = Uint32Array.from(frameNumbers);
  const unknown = new Float64Array(frameNumber.length).fill(Number.NaN);
  return { frameNumber, beginNs: unknown, previousCallNs: unknown, overflowed: 0 };
}

/** The sender tells that it missed a slot, not why; what it could not send in time was its own. */
function missColumns(frameNumbers: number[]): MissRecords {
  const frameNumber = Uint32Array.from(frameNumbers);
  const unknown = new Float64Array(frameNumber.length).fill(Number.NaN);
  return {
    frameNumber,
    atNs: unknown,
    cause: new Uint8Array(frameNumber.length).fill(MissCause.Untold),
    overflowed: 0,
  };
}

/** No source of that name was found in time. */
export function nobodySends(name: string, seconds: number): WhitelineError {
  return new WhitelineError({
    code: 'NO_VIDEO',
    message: `No video of ${name} came within ${seconds} s`,
    field: 'name',
    value: name,
    remedy:
      'See whiteline sources for what is on the network, and check the name, the firewall and that the sender runs',
  });
}
