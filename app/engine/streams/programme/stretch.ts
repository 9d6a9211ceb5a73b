import type { ShownStretch } from '../../../facts/cut';
import { PictureStatus } from '../../../protocol/records';
import { theilSen } from '../clocks/theil-sen';
import { unwrapFrameNumber } from '../counting/schedule';
import { type Due, dueBy, hasPeriod } from './due';
import { capturedNs, numberOf, type Picture, sourceOf, statusOf } from './picture';

/**
 * The period is measured over this many of the newest pictures. Only the last few of them predict the next one, because an output may
 * drift.
 */
const keptPictures = 60;
const duePictures = 12;
/** With fewer pictures, the period is not measured. */
const fewestPictures = 15;
/** A measured period that is this near to the declared one counts as the declared one. */
const nearShare = 0.05;
/** How many missing numbers are remembered, in case their pictures arrive late. */
const keptAbsent = 1000;

/** Pictures that a mixer had kept for so long are shown after a pause at its cut. */
const stalePicturesNs = 1e9;

/** Periods of the output for which no picture came at the cut, and when the first one of this source was due. */
export interface Opening {
  missing: number;
  dueNs: number;
}

/** A time in which one source is shown without a break, and what was counted in it. */
export class Stretch {
  readonly sourceId: number;
  readonly firstFrame: number;
  private readonly fromNs: number;
  private newestNs: number;
  private highest: number;
  private seen = 0;
  private repeated = 0;
  private reordered = 0;
  private spoilt = 0;
  private readonly absent = new Set<number>();
  /** Number, period and time of the newest pictures that went on. */
  private newest: { number: number; period: number; ns: number }[] = [];
  /** Periods of the output that repeats took: of a source with fewer frames a second than the output, every second one may. */
  private repeatPeriods = 0;
  /** A repeat came at once: whether it had a period of its own is not known. */
  private isRepeatUnclear = false;
  /** Pictures since the highest number that went not on. */
  repeatsAtEnd = 0;
  /** Numbers that the source ran on by while no picture came at the cut: their periods are those that are missing there. */
  private readonly jumps: { number: number; frames: number }[] = [];

  /**
   * @param programmeFrame number of the first picture in the programme
   * @param usualNs period to use until it is measured
   * @param opening of the first stretch there is none
   */
  constructor(
    first: Picture,
    readonly programmeFrame: number,
    private readonly usualNs: number,
    private readonly declaredNs: number,
    private readonly opening: Opening = { missing: 0, dueNs: 0 },
  ) {
    this.sourceId = sourceOf(first);
    this.firstFrame = numberOf(first);
    this.highest = this.firstFrame - 1;
    this.fromNs = capturedNs(first);
    this.newestNs = this.fromNs;
  }

  /** Number in the programme of the picture with the highest own number. */
  get newestFrame(): number {
    return this.frameOf(this.highest);
  }

  get periodNs(): number {
    const { newest, declaredNs } = this;
    if (newest.length < fewestPictures) return this.usualNs;
    const measuredNs = theilSen(newest.map(({ period, ns }) => ({ x: period, y: ns }))) ?? this.usualNs;
    return Math.abs(measuredNs / declaredNs - 1) < nearShare ? declaredNs : measuredNs;
  }

  /** When the picture with the highest number was due, estimated from the newest pictures. */
  get due(): Due {
    const { newest, periodNs } = this;
    const last = newest[newest.length - 1]?.period ?? 0;
    return dueBy(newest.slice(-duePictures).map(({ period, ns }) => ns + (last - period) * periodNs));
  }

  /** Those of the last picture that are more than each one has. */
  get unusualRepeats(): number {
    const { seen, repeated, repeatsAtEnd } = this;
    const usual = Math.round((repeated - repeatsAtEnd) / Math.max(1, seen - 1));
    return Math.max(0, repeatsAtEnd - usual);
  }

  /**
   * Adds a picture of this source.
   * @returns its number in the programme
   */
  add(picture: Picture): number {
    const number = unwrapFrameNumber(numberOf(picture), this.highest);
    const sinceNs = capturedNs(picture) - this.newestNs;
    this.newestNs = capturedNs(picture);
    if (number > this.highest) this.goOn(number, this.newestNs);
    else this.comeAgain(number, sinceNs);
    if (statusOf(picture) !== PictureStatus.Good) this.spoilt += 1;
    return this.frameOf(number);
  }

  /** Adds a picture that is a mixture, or that cannot be read. */
  addOther(picture: Picture): void {
    this.newestNs = capturedNs(picture);
    this.spoilt += 1;
  }

  get shown(): Omit<ShownStretch, 'name'> {
    const { sourceId, firstFrame, highest, seen, repeated, reordered, spoilt } = this;
    return {
      ...{ sourceId, firstFrame, lastFrame: highest >>> 0 },
      seconds: (this.newestNs - this.fromNs) / 1e9,
      ...{ frames: seen, lost: highest - firstFrame + 1 - seen, repeated, reordered, spoilt },
    };
  }

  private frameOf(number: number): number {
    const before = this.jumps.filter((jump) => jump.number <= number);
    return (
      this.programmeFrame + number - this.firstFrame - before.reduce((sum, jump) => sum + jump.frames, 0)
    );
  }

  /**
   * A mixer that pauses at its cut shows pictures then that it had kept, and jumps to the newest one. The periods of the pause are missing at
   * the cut already: no number may be higher than the periods that were due since.
   */
  private jumpTo(number: number, ns: number): void {
    const { missing, dueNs } = this.opening;
    if (missing === 0 || ns - this.fromNs > stalePicturesNs) return;
    const due = this.programmeFrame + Math.round((ns - dueNs) / this.usualNs);
    const left = missing - this.jumps.reduce((sum, jump) => sum + jump.frames, 0);
    const jumped = number - this.highest - 1;
    const frames = Math.min(this.frameOf(number) - due, left, jumped);
    if (frames > 0) this.jumps.push({ number, frames });
  }

  private goOn(number: number, ns: number): void {
    const { absent } = this;
    this.jumpTo(number, ns);
    for (let lost = Math.max(this.highest + 1, number - keptAbsent); lost < number; lost++) absent.add(lost);
    for (const lost of absent) {
      if (absent.size <= keptAbsent) break;
      absent.delete(lost);
    }
    const period = number + this.repeatPeriods;
    // Skipped numbers take no period: earlier pictures do not say when the next one is due.
    if (this.isRepeatUnclear || this.isPassedOver(number, period, ns)) this.newest = [];
    this.isRepeatUnclear = false;
    this.repeatsAtEnd = 0;
    this.highest = number;
    this.seen += 1;
    this.newest.push({ number, period, ns });
    if (this.newest.length > keptPictures) this.newest.shift();
  }

  private isPassedOver(number: number, period: number, ns: number): boolean {
    const before = this.newest[this.newest.length - 1];
    if (!before || number - before.number < 2) return false;
    return ns - before.ns < (period - before.period - 0.5) * this.periodNs;
  }

  private comeAgain(number: number, sinceNs: number): void {
    if (this.absent.delete(number)) {
      this.seen += 1;
      this.reordered += 1;
      return;
    }
    this.repeated += 1;
    this.repeatsAtEnd += 1;
    if (hasPeriod(sinceNs, this.periodNs)) this.repeatPeriods += 1;
    else this.isRepeatUnclear = true;
  }
}
