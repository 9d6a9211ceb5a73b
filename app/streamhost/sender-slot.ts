import type { Sender } from '../../native/addon/index';
import type { SenderReport, SourceReport } from '../protocol/host';
import type { Fault } from '../protocol/records';
import type { MachineWords, RecordSharing } from './record-sharing';

/** A sender of one stream, and what it reports of itself along its connection. */
export class SenderSlot {
  constructor(
    readonly streamId: number,
    readonly sourceId: number,
    readonly sender: Sender,
    private readonly sharing: RecordSharing | null,
  ) {}

  /** Replaces the faults to come. */
  setFaults(faults: Fault[]): void {
    this.sender.setFaults(faults);
    this.sharing?.setFaults(faults);
  }

  /**
   * Drains the sender. `source`: what the same drain brought of its source, whose records all its senders share; the
   * source of an open sender is open too.
   */
  report(source: SourceReport | undefined, machine: MachineWords, nowNs: number): SenderReport {
    const { firstSlot, connections, metadataDropped, realTimeFinding } = this.sender.status();
    const report = {
      streamId: this.streamId,
      firstSlot,
      connections,
      metadataDropped,
      realTimeFinding,
      submits: this.sender.drain(),
      misses: this.sender.drainMisses(),
    };
    if (source) this.sharing?.share(report, source, machine, this.sender, nowNs);
    return report;
  }
}
