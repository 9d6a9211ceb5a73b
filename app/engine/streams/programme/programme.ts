import type { Cut } from '../../../facts/cut';
import type { CaptureRecords } from '../../../protocol/records';
import { unwrapFrameNumber } from '../counting/schedule';
import { type Due, dueBy, hasPeriod, isSteady } from './due';
import {
  capturedNs,
  isCutWithin,
  isOfOne,
  isReadable,
  numberOf,
  type Picture,
  picturesOf,
  type Renumbered,
  recordsOf,
  sourceOf,
} from './picture';
import { Stretch } from './stretch';

/**
 * After a cut, this many pictures of the next source, or this much time, are needed to find in which period of the output its first picture
 * was due.
 */
const settlingPictures = 12;
const settlingNs = 0.4e9;
/** A transition that shows no picture of one source only lasts no longer than this. */
const longestTransitionNs = 1.5e9;

/** A cut as the engine knows it; names are added later. */
export type FoundCut = Omit<Cut, 'at' | 'from' | 'to'> & {
  /** When the first picture of the next source arrived. */
  atNs: number;
  from: Stretch['shown'];
  to: { sourceId: number; firstFrame: number };
};

/**
 * The output of a mixer that switches between several Whiteline sources. Its pictures get consecutive numbers, as if they came from one
 * source. While a source is shown, they follow its own numbers. At a cut, the number grows by the periods of the output between the last
 * picture of one source and the first of the next. A source that is not shown loses nothing. Pure: it reads no clock.
 */
export class Programme {
  private stretch: Stretch | null = null;
  /** Pictures since the last one that is known to belong to the source that is shown. */
  private waiting: Picture[] = [];
  private ready: Renumbered[] = [];
  private found: FoundCut[] = [];
  private readonly past: FoundCut[] = [];

  /**
   * Takes pictures, and returns those that could be numbered so far.
   * @param declaredNs period of the output, as it declares its rate
   */
  add(captures: CaptureRecords, nowNs: number, declaredNs: number): CaptureRecords {
    this.waiting.push(...picturesOf(captures));
    while (this.settle(nowNs, declaredNs));
    return recordsOf(this.ready.splice(0), captures.overflowed);
  }

  /** Cuts found since the last call. */
  takeCuts(): FoundCut[] {
    const found = this.found.splice(0);
    this.past.push(...found);
    return found;
  }

  /** Null: no picture told it so far. */
  get shownSourceId(): number | null {
    return this.stretch?.sourceId ?? null;
  }

  cutsWithin(fromNs: number, toNs: number): FoundCut[] {
    return this.past.filter(({ atNs }) => atNs >= fromNs && atNs < toNs);
  }

  /**
   * Decides what one picture is, or several that belong together.
   * @returns false if nothing can be decided yet
   */
  private settle(nowNs: number, declaredNs: number): boolean {
    const { waiting, stretch } = this;
    const [oldest] = waiting;
    if (!oldest) return false;
    const isTooLong = nowNs - capturedNs(oldest) > longestTransitionNs;
    const alone = waiting.findIndex(isOfOne);
    // Not by when the message came: pictures that were held up are no transition.
    const isAlone =
      alone >= 0 && capturedNs(waiting[alone] as Picture) - capturedNs(oldest) <= longestTransitionNs;
    if (!isAlone && !isTooLong) return false;
    const tells = isAlone ? isOfOne : isReadable;
    const sure = waiting.findIndex(tells);
    const next = waiting[sure];
    if (!next) return this.pass(waiting.length);
    if (!stretch) {
      this.pass(sure);
      this.stretch = new Stretch(next, numberOf(next), declaredNs, declaredNs);
      return true;
    }
    if (sourceOf(next) === stretch.sourceId) return this.pass(sure + 1);
    const behind = this.waiting.slice(sure).filter(tells);
    const end = behind.findIndex((picture) => sourceOf(picture) !== sourceOf(next));
    const shown = end < 0 ? behind : behind.slice(0, end);
    const isSettled = shown.length >= settlingPictures || nowNs - capturedNs(next) > settlingNs;
    if (!isSettled && end < 0) return false;
    // What a single spoilt picture says of its source is no cut.
    if (!isOfOne(next) && shown.length < 2) return this.pass(sure + 1);
    this.cut(stretch, next, sure, shown, declaredNs);
    return true;
  }

  /**
   * Numbers the oldest waiting pictures as those of the source that is shown.
   * @param count how many
   */
  private pass(count: number): true {
    for (const picture of this.waiting.splice(0, count)) {
      const { stretch } = this;
      const isOwn = stretch && isReadable(picture) && sourceOf(picture) === stretch.sourceId;
      const frameNumber = isOwn ? stretch.add(picture) : null;
      if (!isOwn) stretch?.addOther(picture);
      // A mixture of two sources takes the place of one picture of this source.
      const inPlace = stretch && isReadable(picture) ? stretch.newestFrame + 1 : null;
      this.hand(picture, frameNumber ?? inPlace);
    }
    return true;
  }

  /** `shown`: the first pictures of the next source, from its very first one on. `transition`: so many come before. */
  private cut(
    from: Stretch,
    first: Picture,
    transition: number,
    shown: readonly Picture[],
    declaredNs: number,
  ): void {
    const between = this.waiting.splice(0, transition);
    const due = dueOf(shown, first, from.periodNs);
    const periods = Math.round((due.ns - from.due.ns) / from.periodNs);
    const missing = Math.max(0, periods - 1 - between.length - from.repeatsAtEnd);
    const [before, mixed] = [from.newestFrame, between.filter((picture) => !isCutWithin(picture)).length];
    for (const [index, picture] of between.entries())
      this.hand(picture, before + 1 + index, !isCutWithin(picture));
    const programmeFrame = before + 1 + between.length + missing;
    this.stretch = new Stretch(first, programmeFrame, from.periodNs, declaredNs, { missing, dueNs: due.ns });
    this.found.push({
      atNs: capturedNs(first),
      programmeFrame,
      from: from.shown,
      to: { sourceId: sourceOf(first), firstFrame: numberOf(first) },
      ...{ missing, isEstimate: !isSteady(from.due, from.periodNs) || !isSteady(due, from.periodNs) },
      ...{ repeated: from.unusualRepeats, mixed, torn: between.length - mixed },
    });
  }

  private hand(picture: Picture, frameNumber: number | null, isMixed = false): void {
    const wrapped = frameNumber === null ? null : frameNumber >>> 0;
    this.ready.push({ ...picture, frameNumber: wrapped, isMixed });
  }
}

/**
 * When the first of these pictures came, had it been as quick as the quickest of them. They are counted, whatever their numbers: one that
 * is lost among them, or comes again at once, makes those behind it later and none earlier.
 */
function dueOf([, ...others]: readonly Picture[], first: Picture, periodNs: number): Due {
  let highest = numberOf(first);
  let periods = 0;
  let beforeNs = capturedNs(first);
  const each = [beforeNs];
  for (const picture of others) {
    const ns = capturedNs(picture);
    const number = unwrapFrameNumber(numberOf(picture), highest);
    const isCounted = number > highest || hasPeriod(ns - beforeNs, periodNs);
    highest = Math.max(highest, number);
    beforeNs = ns;
    if (!isCounted) continue;
    periods += 1;
    each.push(ns - periods * periodNs);
  }
  return dueBy(each);
}
