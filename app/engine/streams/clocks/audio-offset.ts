import { maxRate } from '../../../protocol/format';
import { type AudioRecords, type CaptureRecords, PictureStatus } from '../../../protocol/records';
import { NumberReach } from '../counting/number-reach';
import { farthestJump, unwrapFrameNumber } from '../counting/schedule';
import { SlotFlags } from '../counting/slot-flags';
import type { SlotTimes } from '../counting/slot-times';
import { median, theilSen } from './theil-sen';

/** Sound against picture over a range of slots; null if it was not measured. */
export interface SoundFigures {
  /** Median over the bursts of the range: sound minus picture, positive when the sound came later. */
  offsetMs: number | null;
  /** Frames that were submitted and whose block of sound never came. */
  blocksMissing: number | null;
}

interface Burst {
  /** Null if the block came without a number. */
  slot: number | null;
  burstNs: number;
}

/** A number that was captured for the first time. */
interface Picture {
  slot: number;
  frameNumber: number;
  captureNs: number;
}

interface Pair {
  slot: number;
  offsetMs: number;
}

/** Fewer bursts make no line. */
const burstsOfLine = 3;
/** Bursts come once a second: of a longer time at an end of the range a line says nothing. */
const withoutBurstNs = 2.5e9;
/** More bursts than these are put together in groups before the line is laid. */
const pointsOfLine = 120;
/** An hour of bursts, and what waits for a picture to come. */
const keptPairs = 3600;
const keptBursts = 16;
/** How far apart the burst of an unnumbered block and its picture may be: bursts come once a second. */
const nearestNs = 0.5e9;
/** How much earlier or later than its picture a numbered burst may come. */
const farthestNs = 2e9;
/** Pictures of twice that time, at the highest rate. */
const mostPictures = ((2 * farthestNs) / 1e9) * maxRate;

/**
 * Finds the picture of each tone burst: a burst begins with the sound of a frame whose number is a multiple of the frames
 * in a second. Blocks carry the number of their frame; a burst without it goes to the nearest such picture. Times are of
 * the receiver's clock alone. Pure.
 */
export class AudioOffset {
  /** Blocks that came, and those of them without a number of ours. */
  blocks = 0;
  unnumbered = 0;
  overflowed = 0;
  private readonly came: SlotFlags;
  private newestBlock: number;
  private newestSlot: number;
  private newestPictureNs = 0;
  private readonly reach: NumberReach;
  private pictures: Picture[] = [];
  private bursts: Burst[] = [];
  /** In the order of their slots. */
  private readonly pairs: Pair[] = [];

  /** `firstSlot`: the lowest slot that counts. `schedule`: of the slots, where it is known. */
  constructor(
    private readonly times: Pick<SlotTimes, 'periodNs'>,
    firstSlot: number,
    schedule: Pick<SlotTimes, 'slotFrom'> | null = null,
  ) {
    this.came = new SlotFlags(firstSlot);
    this.reach = new NumberReach(times, schedule);
    this.newestBlock = firstSlot;
    this.newestSlot = firstSlot - 1;
  }

  addSound(records: AudioRecords): void {
    this.overflowed = records.overflowed;
    for (let index = 0; index < records.captureNs.length; index++) {
      this.blocks += 1;
      const frameNumber = records.frameNumber[index] ?? Number.NaN;
      const slot = Number.isFinite(frameNumber)
        ? this.takeBlock(frameNumber, records.captureNs[index] ?? 0)
        : null;
      if (slot === null) this.unnumbered += 1;
      const burstNs = records.burstNs[index] ?? Number.NaN;
      if (!Number.isNaN(burstNs)) this.bursts.push({ slot, burstNs });
    }
    this.bursts = this.bursts.slice(-keptBursts);
    this.match();
  }

  /** Adds pictures of the source with this id in the frame code; others are ignored. */
  addPictures(captures: CaptureRecords, sourceId: number): void {
    for (let index = 0; index < captures.captureNs.length; index++) {
      const readable = captures.status[index] !== PictureStatus.Undecodable;
      if (!readable || captures.sourceId[index] !== sourceId) continue;
      const frameNumber = captures.frameNumber[index] ?? 0;
      const slot = unwrapFrameNumber(frameNumber, Math.max(0, this.newestSlot));
      // Only rising numbers: what is shown twice or late is not when the picture first came.
      if (slot <= this.newestSlot || slot - this.newestSlot >= farthestJump) continue;
      this.newestSlot = slot;
      this.newestPictureNs = captures.captureNs[index] ?? 0;
      this.pictures.push({ slot, frameNumber, captureNs: this.newestPictureNs });
    }
    const oldest = this.pictures.findIndex(
      ({ captureNs }) => captureNs > this.newestPictureNs - 2 * farthestNs,
    );
    if (oldest > 0) this.pictures.splice(0, oldest);
    if (this.pictures.length > mostPictures) this.pictures = this.pictures.slice(-mostPictures);
    this.match();
  }

  /**
   * Over a range of slots, both ends included. `wasSubmitted`: whether the sender sent the frame of a slot, and its sound
   * with it. Null when no sound ever came.
   */
  over(first: number, last: number, wasSubmitted: (slot: number) => boolean): SoundFigures | null {
    if (this.blocks === 0) return null;
    const offsetsMs = this.offsetsMs(first, last);
    return {
      offsetMs: offsetsMs.length === 0 ? null : median(offsetsMs),
      blocksMissing: this.blocksMissing(first, last, wasSubmitted),
    };
  }

  /** Submitted frames without their sound block; null if no block ever named its frame. */
  blocksMissing(first: number, last: number, wasSubmitted: (slot: number) => boolean): number | null {
    if (this.blocks === this.unnumbered) return null;
    let count = 0;
    let slot = this.came.firstUnmarked(first);
    for (; slot <= last; slot = this.came.firstUnmarked(slot + 1)) if (wasSubmitted(slot)) count += 1;
    return count;
  }

  /** Offset for each burst of a range whose picture arrived. */
  offsetsMs(first: number, last: number): number[] {
    return this.pairsWithin(first, last).map(({ offsetMs }) => offsetMs);
  }

  /**
   * How much the offset changed from the first slot to the last, by a line through the bursts; null: too few of them, or none near one of
   * the two ends. A line is not drawn on over a time without pictures.
   */
  driftMs(first: number, last: number): number | null {
    const pairs = this.pairsWithin(first, last);
    const [begin, end] = [pairs[0], pairs.at(-1)];
    if (!begin || !end || pairs.length < burstsOfLine) return null;
    const { periodNs } = this.times;
    if (Math.max(begin.slot - first, last - end.slot) * periodNs > withoutBurstNs) return null;
    const perPoint = Math.ceil(pairs.length / pointsOfLine);
    const points: { x: number; y: number }[] = [];
    for (let at = 0; at < pairs.length; at += perPoint) {
      const group = pairs.slice(at, at + perPoint);
      points.push({
        x: median(group.map(({ slot }) => (slot - first) * periodNs)),
        y: median(group.map(({ offsetMs }) => offsetMs)),
      });
    }
    const slope = theilSen(points);
    return slope === null ? null : slope * (last - first + 1) * periodNs;
  }

  /** Null for a number that is no slot of this stream. */
  private takeBlock(frameNumber: number, captureNs: number): number | null {
    const slot = unwrapFrameNumber(frameNumber % 2 ** 32, this.newestBlock);
    if (slot - this.newestBlock >= farthestJump || !this.reach.take(slot, captureNs)) return null;
    this.newestBlock = Math.max(this.newestBlock, slot);
    this.came.mark(slot, 1);
    return slot;
  }

  /** Pairs the bursts whose picture is here; those whose picture can come no more are forgotten. */
  private match(): void {
    this.bursts = this.bursts.filter((burst) => {
      const picture = this.pictureOf(burst);
      if (picture) {
        this.addPair({ slot: picture.slot, offsetMs: (burst.burstNs - picture.captureNs) / 1e6 });
        return false;
      }
      return this.newestPictureNs <= burst.burstNs + farthestNs;
    });
    if (this.pairs.length > keptPairs) this.pairs.splice(0, this.pairs.length - keptPairs);
  }

  private pictureOf({ slot, burstNs }: Burst): Picture | null {
    if (slot !== null) return this.pictures.find((picture) => picture.slot === slot) ?? null;
    // A nearer one may still come.
    if (this.newestPictureNs < burstNs + nearestNs) return null;
    const framesPerBurst = Math.max(1, Math.round(1e9 / this.times.periodNs));
    let nearest: Picture | null = null;
    for (const picture of this.pictures) {
      if (picture.frameNumber % framesPerBurst !== 0) continue;
      const distanceNs = Math.abs(picture.captureNs - burstNs);
      const nearestSoFarNs = nearest ? Math.abs(nearest.captureNs - burstNs) : nearestNs;
      if (distanceNs <= nearestSoFarNs) nearest = picture;
    }
    return nearest;
  }

  /** A burst may have waited longer for its picture than a later one. */
  private addPair(pair: Pair): void {
    this.pairs.splice(this.pairsUpTo(pair.slot), 0, pair);
  }

  private pairsWithin(first: number, last: number): Pair[] {
    return this.pairs.slice(this.pairsUpTo(first - 1), this.pairsUpTo(last));
  }

  /** Counted from the newest on: live views ask for the last seconds of an hour. */
  private pairsUpTo(slot: number): number {
    const { pairs } = this;
    let count = pairs.length;
    while (count > 0 && (pairs[count - 1]?.slot ?? slot) > slot) count -= 1;
    return count;
  }
}
