import { rateText } from '../../../protocol/count-words';
import type { GapHistogram } from '../../../protocol/distribution';
import { framesPerSecond, type Rate } from '../../../protocol/format';
import { type CaptureRecords, type FrameFormat, PictureClass } from '../../../protocol/records';
import { defaultThresholds, stallSeconds } from '../../../protocol/thresholds';
import { type Span, spanOver } from '../counting/range-counter';
import type { SilentTail } from '../counting/range-counts';
import { TimeHistogram } from '../counting/time-histogram';
import { FrameGrid } from './foreign-grid';
import { ForeignGaps, type ForeignLoss, ForeignTally } from './foreign-losses';
import { judgeSteps, type RateFound } from './foreign-rate';
import { type FrameTime, FrameTimes } from './foreign-times';

/** What the sender says of its pictures; a property of the stream that a receiver's status reports. */
export interface DeclaredFormat {
  rate: Rate;
  frameFormat: FrameFormat;
}

/** Counts of a stretch of time of a stream whose pictures carry no code. Null: not measured, see `missingReason`. */
export interface ForeignCounts {
  /** All pictures. */
  captured: number;
  /** Different frames; fields that carry times of their own count as frames. */
  received: number | null;
  duplicated: number | null;
  reordered: number | null;
  /** Absent by the rate; it is not known where they got lost. */
  missing: number | null;
  /** Why what follows from the frames' times is null; empty otherwise. */
  missingReason: string;
  /** Steps of the sender's clock, and changes of its format: what was missing over one is not known. */
  unreportedBreaks: number;
  /** Pictures that the SDK put in the place of what it could not decode. */
  placeholders: number;
  /** Solid green pictures, as a missing codec leaves them, unless they were sent so. */
  greens: number;
  stalls: number;
  /** When: from the first to the newest missing frame, all stalls together. */
  lostAt: Span | null;
  stalledAt: Span | null;
  /** Null where a picture came at its end or later, or the silence is too short. */
  tail: SilentTail | null;
  longestGapMs: number;
  worstWindowLost: number | null;
  worstSecondLost: number | null;
  gapHistogram: GapHistogram | null;
  /** First 200. */
  losses: ForeignLoss[];
  newestLoss: ForeignLoss | null;
  /** Frames a second that were expected: as declared, or as measured where the declared rate is wrong. */
  framesPerSecond: number;
  /** How the frames were followed, as half a sentence. */
  methodText: string;
}

/** A stretch of time that is counted, on our monotonic clock. */
export interface ForeignRange {
  readonly fromNs: number;
  /** Pictures from then on belong to it no more; Infinity while it is open. To be set before later pictures come. */
  toNs: number;
  readonly receiveInterval: TimeHistogram;
}

interface OpenRange extends ForeignRange {
  captured: number;
  received: number;
  duplicated: number;
  reordered: number;
  unreportedBreaks: number;
  placeholders: number;
  greens: number;
  stalls: Span[];
  longestGapNs: number;
  lastPictureNs: number;
  lastFrameNs: number;
  /** Of the gaps that are settled. */
  tally: ForeignTally;
  /** Why frames that are missing could not be known at some time of the range. */
  unreported: string;
}

/** So long behind the newest judgement of the rate gaps are kept, in case that it changed in the window before. */
const keptGapsNs = 3e9;

export type RateState = 'searching' | 'declared' | 'measured' | 'variable';

const unreportedTexts = {
  noTimes: 'the sender gives its frames neither timestamps nor timecodes',
  searching: 'its frame rate was not known yet',
  variable: 'the sender’s frames come at no steady rate',
  someTimes: 'the sender gave some of its frames no time',
} as const;

/**
 * Follows a sender without our frame code by the times that it gives its frames, against the rate that it declares. A
 * frame that comes at no multiple of the frame period after the one before says how many are missing between them. Pure:
 * records carry their times.
 */
export class ForeignLedger {
  firstCaptureNs = 0;
  overflowed = 0;
  rateState: RateState = 'searching';
  private readonly times: FrameTimes;
  private readonly gaps = new ForeignGaps();
  private readonly ranges = new Set<OpenRange>();
  private grid: FrameGrid | null = null;
  /** Frames whose steps are not judged yet. */
  private window: FrameTime[] = [];
  /** Number of the first of them. */
  private windowNumber = 0;
  private periodUs: number;
  private lastPictureNs = 0;
  private lastFrameNs = 0;

  constructor(private declared: DeclaredFormat) {
    this.times = new FrameTimes(declared.frameFormat === 'fields');
    this.periodUs = this.declaredPeriodUs();
  }

  /** Of frames, or of fields that carry times of their own: as declared, or as measured where the two disagree. */
  get framesPerSecond(): number {
    const { grid, rateState } = this;
    return grid && rateState === 'measured' ? 1e6 / grid.periodUs : this.declaredPerSecond;
  }

  /** When the newest picture came, 0 before the first. */
  get newestPictureNs(): number {
    return this.lastPictureNs;
  }

  /** How the frames are followed, as half a sentence. */
  get methodText(): string {
    const unit = this.times.countsFields ? 'fields' : 'frames';
    if (this.times.clock === null) return `pictures alone: ${unreportedTexts.noTimes}`;
    const declared = rateText(this.declaredPerSecond);
    const by = `${this.times.clock}s against`;
    if (this.rateState === 'variable')
      return `${this.times.clock}s, of ${unit} at no steady rate (${declared} a second declared)`;
    if (this.rateState === 'measured')
      return `${by} the measured rate of ${rateText(this.framesPerSecond)} ${unit} a second (${declared} declared)`;
    return `${by} the declared rate of ${declared} ${unit} a second`;
  }

  /** `declared`: as the receiver's status reports it after these pictures. */
  add(records: CaptureRecords, declared: DeclaredFormat): void {
    this.overflowed = records.overflowed;
    if (!sameFormat(declared, this.declared)) this.redeclare(declared);
    for (let index = 0; index < records.captureNs.length; index++) this.addPicture(records, index);
    const settled = this.gaps.settle((this.window[0]?.captureNs ?? this.lastFrameNs) - keptGapsNs);
    for (const range of this.ranges)
      for (const gap of settled) range.tally.add(gap, range.fromNs, range.toNs);
  }

  /** Whether a picture came at this moment or later: what is missing before it is known then. */
  isKnownUntil(atNs: number): boolean {
    return this.lastPictureNs >= atNs;
  }

  openRange(fromNs: number, lostWindowSeconds = defaultThresholds.lostWindowSeconds): ForeignRange {
    const range: OpenRange = {
      ...{ fromNs, toNs: Number.POSITIVE_INFINITY, receiveInterval: new TimeHistogram() },
      ...{ captured: 0, received: 0, duplicated: 0, reordered: 0, longestGapNs: 0, stalls: [] },
      ...{
        lastPictureNs: 0,
        lastFrameNs: 0,
        unreported: '',
        unreportedBreaks: 0,
        placeholders: 0,
        greens: 0,
      },
      tally: new ForeignTally(lostWindowSeconds * this.framesPerSecond, this.framesPerSecond),
    };
    this.ranges.add(range);
    return range;
  }

  /** What is known of an open range so far. Frames count as missing when a later one has come. */
  preview(range: ForeignRange, nowNs: number): ForeignCounts {
    return this.count(range as OpenRange, Math.min(nowNs, range.toNs), this.stallNs());
  }

  /** What is found to be missing later is not counted: wait for `isKnownUntil(toNs)`, but not for ever. */
  close(range: ForeignRange, toNs: number): ForeignCounts {
    range.toNs = Math.min(range.toNs, toNs);
    this.ranges.delete(range as OpenRange);
    return this.count(range as OpenRange, range.toNs, 0);
  }

  /** Pictures count in it no more, and it is not closed. */
  forget(range: ForeignRange): void {
    this.ranges.delete(range as OpenRange);
  }

  private addPicture(records: CaptureRecords, index: number): void {
    const captureNs = records.captureNs[index] ?? 0;
    if (this.firstCaptureNs === 0) this.firstCaptureNs = captureNs;
    const kind = this.times.add(
      records.timestampUs[index] ?? Number.NaN,
      records.timecodeUs[index] ?? Number.NaN,
      captureNs,
    );
    for (const range of this.ranges) {
      if (captureNs < range.fromNs || captureNs >= range.toNs) continue;
      range.captured += 1;
      if (records.pictureClass[index] === PictureClass.Placeholder) range.placeholders += 1;
      if (records.pictureClass[index] === PictureClass.SolidGreen) range.greens += 1;
      this.notePicture(range, captureNs);
      if (kind.event === 'no-time' && this.grid) range.unreported ||= unreportedTexts.someTimes;
      if (kind.event === 'clock-step' && this.grid) range.unreportedBreaks += 1;
      if (kind.event === 'duplicate') range.duplicated += 1;
      else if (kind.event !== 'second-field') {
        range.received += 1;
        if (kind.event === 'late') range.reordered += 1;
        this.noteFrame(range, captureNs);
      }
    }
    this.lastPictureNs = captureNs;
    if (kind.event === 'duplicate' || kind.event === 'second-field') return;
    this.lastFrameNs = captureNs;
    if (kind.event === 'late') this.gaps.refill(captureNs);
    else if ('frame' in kind) this.follow(kind.frame, kind.event === 'clock-step');
  }

  private notePicture(range: OpenRange, captureNs: number): void {
    const sinceNs = Math.max(this.lastPictureNs, range.fromNs);
    if (captureNs - sinceNs >= this.stallNs()) range.stalls.push({ fromNs: sinceNs, toNs: captureNs });
    range.lastPictureNs = captureNs;
    if (this.rateState === 'variable') range.unreported = unreportedTexts.variable;
  }

  private noteFrame(range: OpenRange, captureNs: number): void {
    const sinceNs = Math.max(this.lastFrameNs, range.fromNs);
    const gapNs = captureNs - sinceNs;
    range.longestGapNs = Math.max(range.longestGapNs, gapNs);
    // The sender repeated one picture. `notePicture` records a stall without pictures.
    const wasQuiet = captureNs - Math.max(this.lastPictureNs, range.fromNs) >= this.stallNs();
    if (gapNs >= this.stallNs() && !wasQuiet) range.stalls.push({ fromNs: sinceNs, toNs: captureNs });
    if (range.lastFrameNs > 0) range.receiveInterval.add((captureNs - range.lastFrameNs) / 1000);
    range.lastFrameNs = captureNs;
  }

  private follow(frame: FrameTime, clockStepped: boolean): void {
    if (clockStepped) {
      // What was missing over the step is not known; the rate stays what it was.
      this.window = [];
      this.grid = this.grid && new FrameGrid(this.grid.periodUs, frame, this.grid.number + 1);
    } else this.step(frame);
    if (this.window.length === 0) this.windowNumber = this.grid?.number ?? this.windowNumber;
    this.window.push(frame);
    const first = this.window[0] as FrameTime;
    const seconds = (frame.timeUs - first.timeUs) / 1e6;
    const enough = this.grid ? { frames: 49, seconds: 2 } : { frames: 25, seconds: 0.8 };
    if (this.window.length >= enough.frames && seconds >= enough.seconds) this.judgeWindow();
  }

  private step(frame: FrameTime): void {
    if (!this.grid) return;
    const { previous } = this.grid;
    const steps = this.grid.advance(frame);
    if (steps === 0) this.gaps.addExtra(frame.captureNs);
    else if (steps > 1) {
      this.gaps.add({
        firstFrame: this.grid.number - steps + 1,
        frames: steps - 1,
        fromNs: previous.captureNs + this.grid.periodUs * 1000,
        periodNs: this.grid.periodUs * 1000,
        foundNs: frame.captureNs,
      });
    }
  }

  /** Looks whether the steps of the newest seconds fit to the rate; where they do not, they are counted again. */
  private judgeWindow(): void {
    const { window } = this;
    const steps = window.slice(1).map((frame, index) => frame.timeUs - (window[index] as FrameTime).timeUs);
    const judgement = judgeSteps(steps, this.declaredPeriodUs(), this.grid?.periodUs ?? null);
    if (judgement.kind !== 'as-before') this.take(judgement, window);
    this.window = window.slice(-1);
    this.windowNumber = this.grid?.number ?? this.windowNumber;
  }

  private take(judgement: RateFound, window: FrameTime[]): void {
    const [first] = window as [FrameTime];
    this.gaps.forgetSince(first.captureNs);
    // The rate may have changed in the window before: its gaps of one period of the new rate were none.
    if (this.grid && judgement.kind !== 'variable')
      this.gaps.forgetOf(Math.round(judgement.periodUs / this.grid.periodUs) - 1);
    this.grid = null;
    this.rateState = judgement.kind;
    if (judgement.kind === 'variable') {
      for (const range of this.ranges) range.unreported = unreportedTexts.variable;
      return;
    }
    this.periodUs = judgement.periodUs;
    this.grid = new FrameGrid(this.periodUs, first, this.windowNumber);
    for (const frame of window.slice(1)) this.step(frame);
  }

  private redeclare(declared: DeclaredFormat): void {
    this.declared = declared;
    if (this.grid) for (const range of this.ranges) range.unreportedBreaks += 1;
    this.times.restart(declared.frameFormat === 'fields');
    this.windowNumber = (this.grid?.number ?? this.windowNumber) + 1;
    this.window = [];
    this.grid = null;
    this.rateState = 'searching';
    this.periodUs = this.declaredPeriodUs();
  }

  private get declaredPerSecond(): number {
    return framesPerSecond(this.declared.rate) * (this.times.countsFields ? 2 : 1);
  }

  private declaredPeriodUs(): number {
    return 1e6 / this.declaredPerSecond;
  }

  private stallNs(): number {
    return stallSeconds(framesPerSecond(this.declared.rate)) * 1e9;
  }

  /** `shortestTailNs`: a shorter silence at the end may yet be a frame that is on its way. */
  private count(range: OpenRange, toNs: number, shortestTailNs: number): ForeignCounts {
    const { fromNs } = range;
    const hasTimes = this.times.clock !== null;
    const isStall = (sinceNs: number): boolean => toNs - sinceNs >= this.stallNs();
    const pictureNs = Math.max(range.lastPictureNs, fromNs);
    const frameNs = Math.max(range.lastFrameNs, fromNs);
    // Where the same picture comes again and again, it stands still as well.
    const stillNs = hasTimes && !isStall(pictureNs) ? frameNs : pictureNs;
    const stalls = isStall(stillNs) ? [...range.stalls, { fromNs: stillNs, toNs }] : range.stalls;
    const reason = this.unreportedOf(range);
    const tail = this.tailOf(range, toNs, isStall(pictureNs));
    const lost = reason === '' ? range.tally.copy() : null;
    for (const gap of this.gaps.open) lost?.add(gap, range.fromNs, toNs);
    return {
      captured: range.captured,
      received: hasTimes ? range.received : null,
      duplicated: hasTimes ? range.duplicated : null,
      reordered: hasTimes ? range.reordered : null,
      missing: lost?.frames ?? null,
      missingReason: reason,
      unreportedBreaks: range.unreportedBreaks,
      placeholders: range.placeholders,
      greens: range.greens,
      stalls: stalls.length,
      lostAt: lost?.newest ? { fromNs: lost.losses[0]?.fromNs ?? fromNs, toNs: lost.newest.toNs } : null,
      stalledAt: spanOver(stalls),
      tail: tail && toNs - tail.sinceNs >= shortestTailNs ? tail : null,
      longestGapMs: Math.max(range.longestGapNs, toNs - frameNs) / 1e6,
      worstWindowLost: lost?.worstWindow ?? null,
      worstSecondLost: lost?.worstSecond ?? null,
      gapHistogram: lost?.runs.gapHistogram ?? null,
      losses: lost?.losses ?? [],
      newestLoss: lost?.newest ?? null,
      framesPerSecond: this.framesPerSecond,
      methodText: this.methodText,
    };
  }

  /** From when the first frame was due that had not come at the end of the range, and how many were due by then. */
  private tailOf(range: OpenRange, toNs: number, isStall: boolean): SilentTail | null {
    if (this.isKnownUntil(toNs)) return null;
    const periodNs = this.periodUs * 1000;
    const sinceNs = this.lastPictureNs + periodNs;
    const fromNs = Math.max(sinceNs, range.fromNs);
    if (fromNs >= toNs) return null;
    const frames = this.rateState === 'variable' ? null : Math.ceil((toNs - fromNs) / periodNs);
    return { fromNs, toNs, sinceNs, frames, isStall };
  }

  private unreportedOf(range: OpenRange): string {
    if (this.times.clock === null) return unreportedTexts.noTimes;
    if (range.unreported !== '') return range.unreported;
    return this.grid ? '' : unreportedTexts[this.rateState === 'variable' ? 'variable' : 'searching'];
  }
}

function sameFormat(one: DeclaredFormat, other: DeclaredFormat): boolean {
  return (
    one.frameFormat === other.frameFormat &&
    one.rate.numerator * other.rate.denominator === other.rate.numerator * one.rate.denominator
  );
}
