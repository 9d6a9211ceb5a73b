import { PictureStatus } from '../../../protocol/records';

/** Marks of slots, one byte each, for as long as a stream lives (5 MB for a day at 60 frames a second). */

/** A stream's. */
export const Mark = {
  Submitted: 1,
  Missed: 2,
  Seen: 4,
  /** An undecodable picture was matched to this number. */
  Matched: 8,
  /** Dropped in the receiver's queue; reported when nothing more is expected in its gap. */
  Queued: 128,
} as const;

/**
 * Three bits of a stream's marks: of a missed slot why (`MissCause`), of a seen one how its first picture came
 * (`PictureStatus`; an undecodable one has no number to be seen). A slot that is both does not add up, whatever they say.
 */
const detailShift = 4;
const detailBits = 7;

export function causeMark(missCause: number): number {
  return (missCause & detailBits) << detailShift;
}

export function missCauseOf(marks: number): number {
  return (marks >> detailShift) & detailBits;
}

export function statusMark(status: number): number {
  return (status & detailBits) << detailShift;
}

/** Status of the first picture of a number; without meaning if the number was not seen. */
export function statusOf(marks: number): number {
  return marks & Mark.Seen ? (marks >> detailShift) & detailBits : PictureStatus.Good;
}

/** A source's. */
export const SourceMark = {
  Scheduled: 1,
  LateSource: 2,
  /** The reason why it was late, if reported. */
  Disk: 4,
  Decode: 8,
  Damaged: 16,
  Command: 32,
  /** A remote sender says that a fault of its own left the frame out, or spoilt it. */
  SaidSkipped: 64,
  SaidSpoilt: 128,
} as const;

/** 1 GiB: 207 days at 60 frames a second. Slots beyond are not remembered, which makes their row void. */
const mostSlots = 2 ** 30;

export class SlotFlags {
  private bytes = new Uint8Array(4096);
  /** One past the highest slot that was ever marked. */
  private end: number;

  /** `first`: the lowest slot that is remembered; marks below it are ignored. */
  constructor(readonly first: number) {
    this.end = first;
  }

  get(slot: number): number {
    return this.bytes[slot - this.first] ?? 0;
  }

  /** True if the mark was not there yet. */
  mark(slot: number, mark: number): boolean {
    const index = slot - this.first;
    if (index < 0 || index >= mostSlots) return false;
    if (index >= this.bytes.length) this.grow(index + 1);
    const old = this.bytes[index] ?? 0;
    this.bytes[index] = old | mark;
    if (slot >= this.end) this.end = slot + 1;
    return (old & mark) !== mark;
  }

  /** The first slot from `from` on that carries no mark. */
  firstUnmarked(from: number): number {
    if (from < this.first) return from;
    const index = this.bytes.indexOf(0, from - this.first);
    return index < 0 ? Math.max(from, this.first + this.bytes.length) : this.first + index;
  }

  /** Visits the slots from `first` to `last` that have all marks of `wanted` and none of `unwanted`. */
  forEach(
    first: number,
    last: number,
    wanted: number,
    unwanted: number,
    visit: (slot: number) => void,
  ): void {
    const to = Math.min(last, this.end - 1);
    for (let slot = Math.max(first, this.first); slot <= to; slot++) {
      const flags = this.bytes[slot - this.first] ?? 0;
      if ((flags & wanted) === wanted && (flags & unwanted) === 0) visit(slot);
    }
  }

  private grow(length: number): void {
    const larger = new Uint8Array(Math.min(mostSlots, Math.max(length, this.bytes.length * 2)));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
