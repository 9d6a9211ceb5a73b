import { type CaptureRecords, PictureStatus } from '../../protocol/records';
import { part } from './capture-part';
import type { ArrivalLedger } from './counting/arrival-ledger';
import { unwrapFrameNumber } from './counting/schedule';

/** Numbers that rise from elsewhere for `newStartNs` are a new start. If they stop rising, or after `longestNs`, they are none. */
const newStartNs = 0.5e9;
const longestNs = 2e9;
/** They have to rise by at least this much. */
const fewestNumbers = 3;
/** Pictures are handed to the ledger after this time at the latest. */
const handedOverNs = 0.1e9;

interface Run {
  sinceNs: number;
  firstSlot: number;
  newestSlot: number;
  isRising: boolean;
}

/**
 * Finds a sender that starts again under the same source id, as a recording that is looped does: its numbers go on from
 * elsewhere, farther back than reordering explains or farther ahead than losses do. Until that is known pictures are held back.
 */
export class NumberJump {
  private held: CaptureRecords[] = [];
  private run: Run | null = null;

  /**
   * Hands on those pictures of our sender without records that belong to the present start.
   * @returns the pictures of a new start, or null
   */
  sort(
    captures: CaptureRecords,
    ledger: ArrivalLedger,
    take: (part: CaptureRecords) => void,
  ): CaptureRecords[] | null {
    const { captureNs, frameNumber, status } = captures;
    const count = captureNs.length;
    let from = 0;
    const handOver = (to: number): void => {
      const ready = part(captures, from, to);
      if (this.run) this.held.push(ready);
      else take(ready);
      from = to;
    };
    for (let index = 0; index < count; index++) {
      const atNs = captureNs[index] ?? 0;
      if (atNs - (captureNs[from] ?? 0) >= handedOverNs) handOver(index);
      if (status[index] === PictureStatus.Undecodable) continue;
      const frame = frameNumber[index] ?? 0;
      const isExplained = ledger.explains(frame, atNs);
      if (isExplained && !this.run) continue;
      handOver(index);
      if (isExplained) this.release(take);
      else if (this.isNewStart(frame, atNs)) return this.end(part(captures, index, count));
      else if (this.isOver(atNs)) this.release(take);
    }
    handOver(count);
    return null;
  }

  /** What was held back belongs to what is followed after all. */
  release(take: (part: CaptureRecords) => void): void {
    this.run = null;
    for (const captures of this.held.splice(0)) take(captures);
  }

  private end(rest: CaptureRecords): CaptureRecords[] {
    this.run = null;
    return [...this.held.splice(0), rest];
  }

  private isNewStart(frameNumber: number, atNs: number): boolean {
    const { run } = this;
    if (!run) {
      this.run = { sinceNs: atNs, firstSlot: frameNumber, newestSlot: frameNumber, isRising: true };
      return false;
    }
    const slot = unwrapFrameNumber(frameNumber, run.newestSlot);
    run.isRising &&= slot >= run.newestSlot;
    run.newestSlot = slot;
    return run.isRising && atNs - run.sinceNs >= newStartNs && slot - run.firstSlot >= fewestNumbers;
  }

  private isOver(atNs: number): boolean {
    const { run } = this;
    if (!run) return false;
    const lastedNs = atNs - run.sinceNs;
    return (
      lastedNs >= longestNs || (lastedNs >= newStartNs && (!run.isRising || run.newestSlot === run.firstSlot))
    );
  }
}
