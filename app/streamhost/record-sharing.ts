import { readFileSync } from 'node:fs';
import type { Sender, Source } from '../../native/addon/index';
import type { SenderReport } from '../protocol/host';
import { type SharedRecords, sharedRecordsXml } from '../protocol/shared-records';

const sendEveryNs = 250e6;
/** Numbers kept for a receiver that is not connected yet: it asks for none from before it came. */
const keptFrames = 600;

/**
 * Sends a sender's own records along its NDI connection, so that a watcher at the other end can tell a frame that was
 * never sent from one that was lost on the way.
 */
export class RecordSharing {
  private submitted: number[] = [];
  private missed: number[] = [];
  private lastNs = 0;
  private readonly boot = bootId();

  constructor(
    private readonly senderId: number,
    private readonly source: Source,
    private readonly wallOffsetUs: number,
  ) {}

  share(report: SenderReport, sender: Sender): void {
    this.submitted.push(...report.submits.frameNumber);
    this.missed.push(...report.misses.frameNumber);
    if (report.connections === 0) {
      this.submitted = this.submitted.slice(-keptFrames);
      this.missed = this.missed.slice(-keptFrames);
      return;
    }
    const nowNs = report.submits.beginNs[report.submits.beginNs.length - 1] ?? this.lastNs;
    if (nowNs - this.lastNs < sendEveryNs) return;
    this.lastNs = nowNs;
    const { sourceId, startNs } = this.source.status();
    const records: SharedRecords = {
      senderId: this.senderId,
      sourceId,
      startNs,
      wallOffsetUs: this.wallOffsetUs,
      boot: this.boot,
      submitted: this.submitted,
      missed: this.missed,
    };
    sender.sendMetadata(sharedRecordsXml(records));
    this.submitted = [];
    this.missed = [];
  }
}

/** Names this start of this machine; empty where the system does not tell. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
