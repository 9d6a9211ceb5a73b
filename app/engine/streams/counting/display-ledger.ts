import { type DisplayReport, DisplayStage, leftOutFate } from '../../../protocol/display';
import { SlotFlags } from './slot-flags';
import type { StreamLedger } from './stream-ledger';

/** What became of captured frames in a display window. Of those reported: reported = shown + missed + left out. */
export class ShownCounts {
  /** Frames that the receiver captured, by its records. */
  captured = 0;
  /** Frames whose fate a window reported. */
  reported = 0;
  /** Presented, or uploaded where it is not reported what was presented. */
  shown = 0;
  leftOut = 0;
  missedDelivery = 0;
  missedUpload = 0;
  missedPresentation = 0;
  /** False: of one frame or more it is not reported whether it was presented. */
  isPresentationKnown = true;
  ticksMissed = 0;

  get missed(): number {
    return this.missedDelivery + this.missedUpload + this.missedPresentation;
  }

  add(fate: number, isPresentationKnown: boolean): void {
    this.reported += 1;
    if (!isPresentationKnown) this.isPresentationKnown = false;
    if (fate === leftOutFate) this.leftOut += 1;
    else if (fate === DisplayStage.captured) this.missedDelivery += 1;
    else if (fate === DisplayStage.delivered) this.missedUpload += 1;
    else if (fate === DisplayStage.uploaded && isPresentationKnown) this.missedPresentation += 1;
    else this.shown += 1;
  }
}

/** Marks of a slot: its fate plus one, so that 0 is a frame without a report, and one further bit. */
const fateBits = 7;
const unknownPresentation = 8;

/** A window that is silent for so long shows the stream no more. */
const silentNs = 1e9;

/** Follows the captured frames of a stream on their way to a display, by what the display window reports of them. */
export class DisplayLedger {
  private readonly flags: SlotFlags;
  /** Compositor ticks missed, and when they were reported. */
  private readonly ticks: { atNs: number; missed: number }[] = [];
  private readonly total = new ShownCounts();
  private reportedNs = Number.NEGATIVE_INFINITY;
  private newestReported: number;

  constructor(private readonly ledger: StreamLedger) {
    this.flags = new SlotFlags(ledger.identity.firstSlot);
    this.newestReported = ledger.identity.firstSlot - 1;
  }

  /** Frames of another source, and those that the receiver did not capture, are not this stream's. */
  add(report: DisplayReport, nowNs: number): void {
    const { sourceIds, frameNumbers, fates, isPresentationKnown, ticksMissed } = report;
    this.reportedNs = nowNs;
    this.total.ticksMissed += ticksMissed;
    if (ticksMissed > 0) this.ticks.push({ atNs: nowNs, missed: ticksMissed });
    for (const [index, frameNumber] of frameNumbers.entries()) {
      if (sourceIds[index] !== this.ledger.identity.sourceId) continue;
      const slot = this.ledger.seenSlot(frameNumber);
      // A window that closes and the one that opens in its place may both report a frame: the first one counts.
      if (slot === null || this.flags.get(slot) !== 0) continue;
      const fate = fates[index] ?? 0;
      this.flags.mark(slot, (fate + 1) | (isPresentationKnown ? 0 : unknownPresentation));
      this.newestReported = Math.max(this.newestReported, slot);
      this.total.add(fate, isPresentationKnown);
    }
  }

  /** All that was reported so far, or null while no window shows the stream. */
  live(nowNs: number): ShownCounts | null {
    return this.isShown(nowNs) && this.total.reported > 0 ? this.total : null;
  }

  /** Whether nothing more is to be heard of the slots up to `last`. */
  isKnownUntil(last: number, nowNs: number): boolean {
    return !this.isShown(nowNs) || this.newestReported >= this.ledger.newestSeen(last);
  }

  /** Figures for the slots from `first` to `last`, and for the ticks between two moments; for an open row, as far as they are reported. */
  over(
    slots: { first: number; last: number },
    time: { fromNs: number; toNs: number },
    isOpen: boolean,
  ): ShownCounts {
    const counts = new ShownCounts();
    const last = isOpen ? Math.min(slots.last, this.newestReported) : slots.last;
    for (let slot = slots.first; slot <= last; slot++) {
      if (!this.ledger.wasSeen(slot)) continue;
      counts.captured += 1;
      const marks = this.flags.get(slot);
      if (marks !== 0) counts.add((marks & fateBits) - 1, (marks & unknownPresentation) === 0);
    }
    for (const { atNs, missed } of this.ticks)
      if (atNs > time.fromNs && atNs <= time.toNs) counts.ticksMissed += missed;
    return counts;
  }

  private isShown(nowNs: number): boolean {
    return nowNs - this.reportedNs <= silentNs;
  }
}
