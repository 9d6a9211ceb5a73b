import type { StreamState } from '../../protocol/console';
import { framesPerSecond, type VideoFormat } from '../../protocol/format';
import type { ReceiverReport, SenderReport, SourceReport } from '../../protocol/host';
import { type CaptureRecords, LateCause, type SourceStatus } from '../../protocol/records';
import { stallSeconds } from '../../protocol/thresholds';
import type { Schedule } from './counting/schedule';
import { SourceLedger } from './counting/source-ledger';
import { StreamLedger } from './counting/stream-ledger';

/** How fast a movie was read when its pictures were last late from the disk, and how fast it has to be; null: unknown. */
export interface DiskSpeed {
  rateMBps: number | null;
  neededMBps: number | null;
}

/** A source that plays in the sending host. */
export class ActiveSource {
  ledger: SourceLedger | null = null;
  status: SourceStatus | null = null;
  private lateDiskRateMBps: number | null = null;

  constructor(
    readonly id: number,
    readonly text: string,
    readonly format: VideoFormat,
    readonly neededDiskRateMBps: number | null = null,
  ) {}

  get lateDisk(): DiskSpeed {
    return { rateMBps: this.lateDiskRateMBps, neededMBps: this.neededDiskRateMBps };
  }

  add(report: SourceReport): void {
    this.status = report.status;
    if (report.records.lateCause.includes(LateCause.Disk)) this.lateDiskRateMBps = report.status.diskRateMBps;
    if (!this.ledger && report.status.startNs > 0) {
      const schedule: Schedule = { startNs: report.status.startNs, rate: this.format.rate };
      this.ledger = new SourceLedger(schedule);
    }
    this.ledger?.add(report.records);
  }
}

/** One stream: a sender in the sending host and a receiver in the receiving host. */
export class Stream {
  ledger: StreamLedger | null = null;
  /** NDI's full name, "MACHINE (name)": another machine's stream of the same name is not this one. */
  fullName = '';
  /** The full name under which the receiver found it; empty before. */
  sourceName = '';
  receiver: ReceiverReport['status'] = null;
  connections = 0;
  removing = false;
  /** Wrong pictures at the last look, to tell a new one from an old one. */
  private wrongSourceSeen = 0;
  private wrongSourceNs = 0;
  /** Captures that came before the ledger could be made. */
  early: CaptureRecords[] = [];

  constructor(
    readonly id: number,
    readonly name: string,
    public source: ActiveSource,
    readonly addedNs: number,
    private readonly wallOffsetUs: number,
  ) {}

  addSenderReport(report: SenderReport): void {
    this.connections = report.connections;
    const { ledger: sourceLedger, status } = this.source;
    if (!this.ledger && sourceLedger && status) {
      this.ledger = new StreamLedger(sourceLedger, {
        sourceId: status.sourceId,
        senderId: this.id,
        firstSlot: report.firstSlot,
        assumeSubmitted: false,
        wallOffsetUs: this.wallOffsetUs,
      });
      this.addEarlyCaptures();
    }
    this.ledger?.addSubmits(report.submits);
    this.ledger?.addMisses(report.misses);
  }

  /** Follows a stream whose sender lives elsewhere: the watcher says what is known of it. */
  follow(source: ActiveSource, ledger: StreamLedger): void {
    this.source = source;
    this.ledger = ledger;
    this.addEarlyCaptures();
  }

  addReceiverReport(report: ReceiverReport, nowNs: number): void {
    this.sourceName = report.sourceName;
    this.receiver = report.status;
    if (this.ledger) this.ledger.addCaptures(report.captures);
    else this.early.push(report.captures);
    const wrong = this.ledger?.wrongSource ?? 0;
    if (wrong > this.wrongSourceSeen) this.wrongSourceNs = nowNs;
    this.wrongSourceSeen = wrong;
  }

  private addEarlyCaptures(): void {
    for (const captures of this.early) this.ledger?.addCaptures(captures);
    this.early = [];
  }

  get firstCaptureNs(): number {
    return this.ledger?.firstCaptureNs ?? 0;
  }

  /** From Add stream to the first picture, null before it. */
  get connectMs(): number | null {
    return this.firstCaptureNs > 0 ? (this.firstCaptureNs - this.addedNs) / 1e6 : null;
  }

  state(nowNs: number, warmUpSeconds: number, connectTimeoutSeconds: number): StreamState {
    if (this.removing) return 'removing';
    if (this.source.status?.state === 'closed' || this.source.status?.state === 'failed')
      return 'sender-gone';
    if (nowNs - this.wrongSourceNs < 2e9) return 'wrong-source';
    if (this.firstCaptureNs === 0) {
      if (nowNs - this.addedNs > connectTimeoutSeconds * 1e9) return 'no-video';
      return this.sourceName === '' ? 'searching' : 'connecting';
    }
    const silentNs = nowNs - (this.receiver?.lastCaptureNs ?? nowNs);
    if (silentNs > stallSeconds(framesPerSecond(this.source.format.rate)) * 1e9) return 'stalled';
    if ((this.ledger?.lastPictureClass ?? 0) !== 0) return 'undecodable';
    return nowNs - this.firstCaptureNs < warmUpSeconds * 1e9 ? 'warming-up' : 'receiving';
  }
}
