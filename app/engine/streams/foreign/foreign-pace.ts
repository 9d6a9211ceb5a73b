import type { Span } from '../counting/capture-counter';
import { FrameGrid, isSingleStep, mayFillGap } from './foreign-grid';
import { type ForeignGap, ForeignGaps } from './foreign-losses';
import {
  catchesUp,
  fits,
  isGapless,
  isMultiple,
  named,
  type RateFound,
  rateOf,
  steadyUs,
  stepsBeforeChange,
} from './foreign-rate';
import { FollowedRates, type RateInUse } from './foreign-rates';
import type { FrameTime } from './foreign-times';

export type RateState = 'searching' | 'declared' | 'measured' | 'variable';

/**
 * Why the number of missing frames is unknown for a span of time.
 * unsettled: too few frames have arrived to tell a loss from another rate. changed: the rate changed in a gap. surplus: more frames arrived
 * than the rate allows, so that a repeated one may hide a missing one. skipped: a frame arrived half a period early or late, and none in
 * the place next to it.
 */
export type Unknown = 'searching' | 'variable' | 'unsettled' | 'changed' | 'surplus' | 'skipped';

/** A span of time for which the number of missing frames is unknown. */
type UnknownSpan = readonly [why: 'variable' | 'surplus' | 'skipped', fromNs: number, toNs: number];

/** A frame is settled once frames after it have arrived for this many stalls: by then a cadence shows. */
const stallsToSettle = 1.5;
/** At least this many steps have to fit before any of them is settled. */
const stepsToSettle = 12;
/** The waiting frames are examined again when this many more have arrived, or their number has grown by this share. */
const stepsPerLook = 6;
const sharePerLook = 0.25;
/** What it takes to find a rate if none is known, or another one than before. */
const toFind = { steps: 24, seconds: 0.7 };
const toChange = { steps: 24, seconds: 0.4 };
/** A rate that is slower by a whole factor may be a link that loses frames: it takes longer to be believed. */
const toSlowDown = { steps: 48, seconds: 2 };
/** Share of the time beside a gap in which frames have to follow each other by a period. */
const atRate = 0.6;
/** Frames that fit to no rate for so long come at none. */
const toGiveUp = { steps: 96, seconds: 2.5 };

interface Evidence {
  steps: number;
  seconds: number;
}

/**
 * Follows the rate at which a sender stamps its frames, and finds gaps. A gap counts when the frames before and after it, for
 * as long as a stall, come at the rate: so frames wait that long until what comes after them is known.
 */
export class ForeignPace {
  readonly gaps = new ForeignGaps();
  state: RateState = 'searching';
  /** Null while no rate is known. */
  private grid: FrameGrid | null = null;
  /** The first is the newest that is settled; in the order of their times. */
  private waiting: FrameTime[] = [];
  /** From each of them to the next, µs. */
  private steps: number[] = [];
  /** How many steps have to wait before the next look. */
  private nextLook = stepsToSettle;
  /** Number of the newest settled frame. */
  private number = 0;
  /** The newest settled steps, for as long as a stall, µs. */
  private settledUs: number[] = [];
  private readonly followed = new FollowedRates();
  /** How often a rate was found. */
  private begun = 0;

  constructor(
    private readonly declaredUs: () => number,
    private readonly stallUs: () => number,
    private readonly noteUnknown: (why: Unknown, fromNs: number, toNs: number) => void,
    /** Frames were followed at this rate in a stretch of time. */
    private readonly noteRate: (rate: RateInUse, fromNs: number, toNs: number) => void,
  ) {}

  get periodUs(): number {
    return this.grid?.periodUs ?? this.declaredUs();
  }

  get isKnown(): boolean {
    return this.grid !== null;
  }

  /** While one is known. */
  get rateInUse(): RateInUse {
    const isDeclared = this.state === 'declared';
    return { periodUs: isDeclared ? this.declaredUs() : this.periodUs, isDeclared, begun: this.begun };
  }

  /** At which the frames that wait are followed, and when they came; null while no rate is known, or none waits. */
  get waitingRate(): (RateInUse & Span) | null {
    const [first, last] = [this.waiting[0], this.waiting.at(-1)];
    if (!this.grid || !first || !last || first === last) return null;
    return { ...this.rateInUse, fromNs: first.captureNs, toNs: last.captureNs };
  }

  /** The fastest of the rates followed in this format of which `periodUs` is a whole multiple, µs; null: there is none. */
  quickerThan(periodUs: number): number | null {
    return this.followed.quickerThan(periodUs);
  }

  /** Null: the next frame begins a new sequence. */
  get newest(): FrameTime | null {
    return this.waiting.at(-1) ?? null;
  }

  /** When the newest settled frame came. */
  get settledNs(): number {
    return this.waiting[0]?.captureNs ?? 0;
  }

  add(frame: FrameTime): void {
    const { newest, grid } = this;
    if (newest && this.state === 'variable') this.noteUnknown('variable', newest.captureNs, frame.captureNs);
    if (!newest && grid) this.resume(grid, frame);
    this.waiting.push(frame);
    if (newest) this.steps.push(frame.timeUs - newest.timeUs);
    if (this.steps.length < this.nextLook) return;
    this.look();
    const { length } = this.steps;
    this.nextLook = Math.max(
      stepsToSettle,
      length + Math.max(stepsPerLook, Math.ceil(sharePerLook * length)),
    );
  }

  /** A frame that later ones have overtaken. */
  addLate(frame: FrameTime): void {
    const index = this.waiting.findIndex(({ timeUs }) => timeUs > frame.timeUs);
    const [before, behind] = [this.waiting[index - 1], this.waiting[index]];
    if (!before || !behind) {
      this.gaps.refill(frame.captureNs);
      return;
    }
    this.waiting.splice(index, 0, frame);
    this.steps.splice(index - 1, 1, frame.timeUs - before.timeUs, behind.timeUs - frame.timeUs);
  }

  /** Frames went on elsewhere: what lies between those before and those to come is not measured. */
  interrupt(): void {
    if (this.canSettle()) this.settle(this.steps.length);
    else this.noteWaiting(this.whyUnknown());
    this.keepFrom(this.waiting.length);
    this.settledUs = [];
    this.nextLook = stepsToSettle;
  }

  /** The format changed: no rate is known. */
  restart(): void {
    this.interrupt();
    this.grid = null;
    this.followed.clear();
    this.state = 'searching';
  }

  /** Whether all that is missing before a moment is among the gaps, once a frame has come from then on. */
  isSettled(atNs: number): boolean {
    const [first] = this.waiting;
    if (!first || first.captureNs >= atNs || this.state === 'variable') return true;
    return (
      this.grid !== null && this.steps.length >= stepsPerLook && isGapless(this.steps, this.grid.periodUs)
    );
  }

  /** All gaps so far, with those of the frames that still wait, and what is unknown of these; null if they may be of another rate. */
  toEnd(): { gaps: readonly ForeignGap[]; unknown: readonly UnknownSpan[] } | null {
    const { grid } = this;
    if (!grid) return { gaps: this.gaps.open, unknown: [] };
    if (!this.canSettle()) return null;
    const gaps = this.gaps.copy();
    const unknown = advance(this.refined(grid.copy()), gaps, this.waiting.slice(1), this.claims());
    return unknown.some(([why]) => why === 'variable') ? null : { gaps: gaps.open, unknown };
  }

  private look(): void {
    const { grid } = this;
    if (!grid) this.find();
    else if (fits(this.steps, grid.periodUs)) this.settle(this.oldEnough());
    else if (!this.follow(grid) && this.newestOf(toGiveUp)) {
      this.noteWaiting('variable');
      this.grid = null;
      this.state = 'variable';
    }
  }

  private find(): void {
    const newest = this.newestOf(toFind);
    if (newest === null) return;
    const isSearching = this.state === 'searching';
    const ofAll = isSearching ? rateOf(this.steps, this.declaredUs()) : null;
    const found = ofAll ?? rateOf(this.steps.slice(newest), this.declaredUs());
    if (found) {
      // What came before there was a rate may reach into the frames that agree on it.
      const begin = ofAll ? 0 : Math.floor((newest + this.waiting.length) / 2);
      if (isSearching) this.noteWaiting('searching', begin);
      this.begin(found, begin);
      return;
    }
    const old = this.newestOf(toGiveUp);
    if (old === null) return;
    if (isSearching) this.noteWaiting('variable');
    this.state = 'variable';
    this.keepFrom(old);
  }

  /** Whether the newest frames agree on another rate, which is followed from where it began. */
  private follow(grid: FrameGrid): boolean {
    const nextUs = this.otherPeriod(toChange, grid.periodUs);
    if (
      nextUs === null ||
      (isMultiple(nextUs, grid.periodUs) && !this.otherPeriod(toSlowDown, grid.periodUs))
    )
      return false;
    const { steps, waiting } = this;
    const change = stepsBeforeChange(steps, grid.periodUs, nextUs);
    let last = change;
    while (last > 0 && !isSingleStep(steps[last - 1] ?? 0, grid.periodUs)) last -= 1;
    let next = change;
    while (next < steps.length && !isSingleStep(steps[next] ?? 0, nextUs)) next += 1;
    const [lastFrame, nextFrame] = [waiting[last], waiting[next]];
    if (!lastFrame || !nextFrame) return false;
    if (next > last) this.noteUnknown('changed', lastFrame.captureNs, nextFrame.captureNs);
    this.keepTo(last);
    this.interrupt();
    if (next > last) this.number += 1;
    this.waiting = waiting;
    this.steps = steps;
    this.begin(named(nextUs, this.declaredUs()), next);
    return true;
  }

  private otherPeriod(evidence: Evidence, knownUs: number): number | null {
    const first = this.newestOf(evidence);
    const periodUs = first === null ? null : steadyUs(this.steps.slice(first));
    return periodUs !== null && named(periodUs, knownUs).kind === 'measured' ? periodUs : null;
  }

  private begin({ periodUs, kind }: RateFound, first: number): void {
    this.keepFrom(first);
    this.settledUs = [];
    this.state = kind;
    this.begun += 1;
    const [frame] = this.waiting;
    if (frame) this.grid = new FrameGrid(periodUs, frame, this.number);
    this.followed.add(this.rateInUse);
  }

  private resume(grid: FrameGrid, frame: FrameTime): void {
    this.number += Math.max(1, Math.round((frame.timeUs - grid.previous.timeUs) / grid.periodUs));
    this.grid = grid.from(frame, this.number);
  }

  private settle(count: number): void {
    const { grid, gaps, waiting, steps } = this;
    if (!grid || count === 0) return;
    for (const unknown of advance(this.refined(grid), gaps, waiting.slice(1, count + 1), this.claims()))
      this.noteUnknown(...unknown);
    this.number = grid.number;
    const [first, last] = [waiting[0], waiting[count]];
    if (first && last) this.noteRate(this.rateInUse, first.captureNs, last.captureNs);
    this.followed.add(this.rateInUse);
    this.settledUs = newestUs([...this.settledUs, ...steps.slice(0, count)], this.stallUs());
    this.keepFrom(count);
  }

  /**
   * How many of the waiting steps are old enough to tell how the frames go on after them. A gap waits for all frames that arrive late
   * together after it.
   */
  private oldEnough(): number {
    const { waiting, steps, periodUs } = this;
    const oldUs = (waiting.at(-1)?.timeUs ?? 0) - stallsToSettle * this.stallUs();
    const young = waiting.findIndex(({ timeUs }) => timeUs > oldUs);
    let count = Math.max(0, Math.min(young - 1, Math.floor(steps.length / 2)));
    while (count > 0 && mayFillGap(steps[count] ?? 0, periodUs)) count -= 1;
    return count;
  }

  private whyUnknown(): Unknown {
    if (!this.grid) return this.state === 'variable' ? 'variable' : 'searching';
    return this.steps.length < stepsToSettle ? 'unsettled' : 'variable';
  }

  private canSettle(): boolean {
    const { grid } = this;
    return grid !== null && (isGapless(this.steps, grid.periodUs) || fits(this.steps, grid.periodUs));
  }

  /** A rate that was measured just now is known from few frames: those that came since show it better. */
  private refined(grid: FrameGrid): FrameGrid {
    const singles = [...this.settledUs, ...this.steps].filter((step) => isSingleStep(step, grid.periodUs));
    const sumUs = singles.reduce((sum, step) => sum + step, 0);
    if (this.state === 'measured') grid.refine(sumUs / singles.length, singles.length);
    return grid;
  }

  /** For each waiting step, whether the number of missing frames in it is known. */
  private claims(): boolean[] {
    const { settledUs, periodUs, steps } = this;
    // The grid follows the frames: a step that is not quite a long one may become one.
    const mayBeLong = (step: number): boolean => step > periodUs && !isSingleStep(step, periodUs);
    if (!this.grid || !steps.some(mayBeLong)) return [];
    const all = [...settledUs, ...steps];
    return steps.map((step, index) => {
      if (!mayBeLong(step)) return true;
      const at = settledUs.length + index;
      const before = newestUs(all.slice(0, at), this.stallUs());
      const behind = newestUs(all.slice(at + 1).reverse(), this.stallUs());
      return this.areAtRate(before) && this.areAtRate(behind) && !catchesUp(behind, this.periodUs);
    });
  }

  /** Whether frames follow each other by a period for most of a time as long as a stall; of less it is not known. */
  private areAtRate(stepsUs: readonly number[]): boolean {
    const sum = (steps: readonly number[]): number => steps.reduce((us, step) => us + step, 0);
    const singles = stepsUs.filter((step) => isSingleStep(step, this.periodUs));
    return sum(singles) > atRate * Math.max(sum(stepsUs), this.stallUs());
  }

  private noteWaiting(why: Unknown, last = this.waiting.length - 1): void {
    const [first] = this.waiting;
    const end = this.waiting[last];
    if (first && end && first !== end) this.noteUnknown(why, first.captureNs, end.captureNs);
  }

  private keepFrom(first: number): void {
    this.waiting = this.waiting.slice(first);
    this.steps = this.steps.slice(first);
  }

  private keepTo(last: number): void {
    this.waiting = this.waiting.slice(0, last + 1);
    this.steps = this.steps.slice(0, last);
  }

  /** Index of the first of the newest frames that are enough evidence in number and time; null: there is not enough. */
  private newestOf({ steps, seconds }: Evidence): number | null {
    const { waiting } = this;
    const endUs = waiting.at(-1)?.timeUs ?? 0;
    let first = waiting.length - 1 - steps;
    while (first > 0 && endUs - (waiting[first]?.timeUs ?? 0) < seconds * 1e6) first -= 1;
    return first >= 0 && endUs - (waiting[first]?.timeUs ?? 0) >= seconds * 1e6 ? first : null;
  }
}

/** Follows frames by the grid. Gives the spans in which it cannot be said how many frames are missing. */
function advance(
  grid: FrameGrid,
  gaps: ForeignGaps,
  frames: readonly FrameTime[],
  claims: readonly boolean[],
): UnknownSpan[] {
  const unknown: UnknownSpan[] = [];
  for (const [index, frame] of frames.entries()) {
    const { previous } = grid;
    // One that catches up takes the next place too early: frames after it may still fill a gap before it.
    const isByRate = isSingleStep(frame.timeUs - previous.timeUs, grid.periodUs);
    const steps = grid.advance(frame);
    gaps.addShift(grid.shift, frame.captureNs);
    const periodNs = grid.periodUs * 1000;
    if (steps !== 1) gaps.addUneven(previous.captureNs);
    if (steps === 0 && !frame.isRepeat) gaps.addExtra(frame.captureNs);
    else if (steps === 1) {
      const open = isByRate ? gaps.addSingle() : gaps.addUneven(previous.captureNs);
      if (open) unknown.push([open.why, Math.min(open.sinceNs, previous.captureNs), frame.captureNs]);
    } else if (steps > 1 && !claims[index]) {
      unknown.push(['variable', previous.captureNs, frame.captureNs]);
      gaps.addShift(steps - 1, frame.captureNs);
    } else if (steps > 1)
      gaps.add({
        ...{ firstFrame: grid.number - steps + 1, frames: steps - 1, periodNs },
        fromNs: previous.captureNs + periodNs,
        foundNs: frame.captureNs,
      });
  }
  return unknown;
}

/** The newest steps that last so long together. */
function newestUs(stepsUs: readonly number[], lastingUs: number): number[] {
  let first = stepsUs.length;
  for (let us = 0; first > 0 && us < lastingUs; first--) us += stepsUs[first - 1] ?? 0;
  return stepsUs.slice(first);
}
