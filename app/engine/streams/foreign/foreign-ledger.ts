import { rateText } from '../../../facts/count-words';
import type { GapHistogram } from '../../../facts/distribution';
import { framesPerSecond, type Rate } from '../../../protocol/format';
import { type CaptureRecords, type FrameFormat, PictureClass } from '../../../protocol/records';
import { defaultThresholds, stallSeconds } from '../../../protocol/thresholds';
import { longestMsOf, type Span, spanOver } from '../counting/capture-counter';
import { TimeHistogram } from '../counting/time-histogram';
import { type ForeignGap, type ForeignLoss, ForeignTally } from './foreign-losses';
import { ForeignPace, type RateState, type Unknown } from './foreign-pace';
import { RatesInUse, slowedText } from './foreign-rates';
import { type Connection, ForeignSilences, type Silence } from './foreign-silences';
import { type FrameEvent, type FrameTime, FrameTimes } from './foreign-times';

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
  /** Absent by the rate; it is not known where they got lost. Those that were counted, where there are any. */
  missing: number | null;
  /** Why more may be missing, and `missing` is null if none was counted; empty if all is known. */
  missingReason: string;
  /** The newest moment at which that is so; 0: none. */
  unknownToNs: number;
  /** Steps of the sender's clock, and changes of its format: what was missing over one is not known. */
  unreportedBreaks: number;
  /** Pictures that the SDK put in the place of what it could not decode. */
  placeholders: number;
  /** Solid green pictures, as a missing codec leaves them, unless they were sent so. */
  greens: number;
  /** Frames that the sender stamped in time came all together, and so late. */
  stalls: number;
  /** When: from the first to the newest missing frame, all stalls together. */
  lostAt: Span | null;
  stalledAt: Span | null;
  /** From the first to the newest placeholder. */
  placeholdersAt: Span | null;
  /** Times without a new frame, each as long as a stall. */
  silences: Pick<ForeignSilences, 'outages' | 'connected'>;
  longestGapMs: number;
  /** The longest of the stalls. */
  longestStallMs: number;
  worstWindowLost: number | null;
  worstSecondLost: number | null;
  gapHistogram: GapHistogram | null;
  /** First 200. */
  losses: ForeignLoss[];
  newestLoss: ForeignLoss | null;
  /** Expected frames per second: the declared rate, or the measured one if the declared rate is wrong. */
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
  placeholdersAt: Span | null;
  greens: number;
  stalls: Span[];
  silences: ForeignSilences;
  longestGapNs: number;
  lastFrameNs: number;
  /** Sums over the gaps that are settled. */
  tally: ForeignTally;
  /** Why frames that are missing could not be known at some time of the range. */
  unreported: string;
  unknownToNs: number;
  /** More frames came than the rate allows: some of them may have come twice. */
  hasSurplus: boolean;
  /** Rates of the frames that are settled. */
  rates: RatesInUse;
}

/** Why the number of missing frames is unknown. changed: `unreportedBreaks` reports it too. */
export const unreportedTexts = {
  noTimes: 'the sender gives its frames neither timestamps nor timecodes',
  searching: 'its frame rate was not known yet',
  variable: 'the sender’s frames come at no steady rate',
  someTimes: 'the sender gave some of its frames no time',
  unsettled: 'its frames were too few to tell a loss from another rate',
  changed: 'the sender’s clock, format or rate changed: what was missing meanwhile is not known',
  silent: 'the sender was connected and silent: it may send only when its picture changes',
  surplus:
    'more frames came than its rate allows: one that was sent twice may stand in the place of one that is missing',
  skipped: 'a frame came early or late, and the one beside it may be missing',
} as const;

const alwaysConnected: Connection = { goneNs: () => 0 };

/**
 * Follows a sender without our frame code by the times that it gives its frames, compared with their rate: a longer step between two frames
 * tells how many are missing. A silence as long as a stall proves nothing, because it may be intended. Pure: records carry their times.
 */
export class ForeignLedger {
  firstCaptureNs = 0;
  overflowed = 0;
  private readonly times: FrameTimes;
  private readonly pace: ForeignPace;
  private readonly ranges = new Set<OpenRange>();
  private lastPictureNs = 0;
  private lastFrame: FrameTime | null = null;
  private lastFrameNs = 0;

  constructor(
    private declared: DeclaredFormat,
    private readonly connection: Connection = alwaysConnected,
  ) {
    this.times = new FrameTimes(declared.frameFormat === 'fields');
    this.pace = new ForeignPace(
      () => 1e6 / this.declaredPerSecond,
      () => this.stallNs() / 1000,
      (why, fromNs, toNs) => this.noteUnknown(why, fromNs, toNs),
      (rate, fromNs, toNs) => {
        for (const range of this.ranges) if (overlaps(range, fromNs, toNs)) range.rates.add(rate);
      },
    );
  }

  get rateState(): RateState {
    return this.pace.state;
  }

  /** Rate of frames, or of fields that carry their own times: as declared, or as measured if the two disagree. */
  get framesPerSecond(): number {
    return this.rateState === 'measured' ? 1e6 / this.pace.periodUs : this.declaredPerSecond;
  }

  /** When the newest picture came, 0 before the first. */
  get newestPictureNs(): number {
    return this.lastPictureNs;
  }

  /** The same for pictures that do not repeat an earlier one. */
  get newestFrameNs(): number {
    return this.lastFrameNs;
  }

  /** How the frames are followed now, as half a sentence. */
  get methodText(): string {
    const rates = new RatesInUse();
    if (this.pace.isKnown) rates.add(this.pace.rateInUse);
    return this.methodOf(rates);
  }

  private methodOf(rates: RatesInUse): string {
    const { unit } = this;
    if (this.times.clock === null) return `pictures alone: ${unreportedTexts.noTimes}`;
    if (this.rateState !== 'variable')
      return `${this.times.clock}s against ${rates.text(unit, this.declaredPerSecond)}`;
    const declared = rateText(this.declaredPerSecond);
    return `${this.times.clock}s, of ${unit} at no steady rate (${declared} a second declared)`;
  }

  /** `declared`: as the receiver's status reports it after these pictures. */
  add(records: CaptureRecords, declared: DeclaredFormat): void {
    this.overflowed = records.overflowed;
    if (!sameFormat(declared, this.declared)) this.redeclare(declared);
    for (let index = 0; index < records.captureNs.length; index++) this.addPicture(records, index);
    for (const gap of this.pace.gaps.settle(this.pace.settledNs))
      for (const range of this.ranges) range.tally.add(gap, range.fromNs, range.toNs);
  }

  /** Whether frames came at this moment or later, and enough of them: what is missing before it is known then. */
  isKnownUntil(atNs: number): boolean {
    return this.lastFrameNs >= atNs && this.pace.isSettled(atNs);
  }

  openRange(fromNs: number, lostWindowSeconds = defaultThresholds.lostWindowSeconds): ForeignRange {
    // As of a sender without records: half a period less, the jitter of the frame after a window.
    const shorterNs = 0.5e9 / this.framesPerSecond;
    const range: OpenRange = {
      ...{ fromNs, toNs: Number.POSITIVE_INFINITY, receiveInterval: new TimeHistogram() },
      ...{ captured: 0, received: 0, duplicated: 0, reordered: 0, longestGapNs: 0, lastFrameNs: 0 },
      ...{ stalls: [], silences: new ForeignSilences(), unreported: '', unknownToNs: 0 },
      hasSurplus: false,
      rates: new RatesInUse(),
      ...{ unreportedBreaks: 0, placeholders: 0, placeholdersAt: null, greens: 0 },
      tally: new ForeignTally(lostWindowSeconds * 1e9 - shorterNs, 1e9 - shorterNs),
    };
    this.ranges.add(range);
    return range;
  }

  /** What is known about an open range so far. Frames count as missing when a later one has come. */
  preview(range: ForeignRange, nowNs: number): ForeignCounts {
    return this.count(range as OpenRange, Math.min(nowNs, range.toNs), this.stallNs(), this.pace.gaps.open);
  }

  /** Losses that are found later are not counted: wait for `isKnownUntil(toNs)` first, but not forever. */
  close(range: ForeignRange, toNs: number): ForeignCounts {
    const open = range as OpenRange;
    range.toNs = Math.min(range.toNs, toNs);
    this.ranges.delete(open);
    const end = this.pace.toEnd();
    for (const unknown of end?.unknown ?? []) noteUnknown(open, ...unknown);
    if (!end && !this.pace.isSettled(range.toNs)) open.unreported ||= unreportedTexts.unsettled;
    return this.count(open, range.toNs, 0, end?.gaps ?? this.pace.gaps.open);
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
    const { event } = kind;
    const isFrame = event !== 'duplicate' && event !== 'second-field' && event !== 'repeat';
    const pause = isFrame ? this.pauseBefore(kind, captureNs) : null;
    for (const range of this.ranges) {
      if (pause?.silence && captureNs >= range.fromNs) this.noteSilence(range, pause.silence);
      if (pause?.isLate && captureNs >= range.toNs) this.noteStallTo(range, range.toNs);
      if (captureNs < range.fromNs || captureNs >= range.toNs) continue;
      range.captured += 1;
      if (records.pictureClass[index] === PictureClass.Placeholder) notePlaceholder(range, captureNs);
      if (records.pictureClass[index] === PictureClass.SolidGreen) range.greens += 1;
      if (event === 'no-time' && this.pace.isKnown)
        noteUnknown(range, 'someTimes', this.lastPictureNs, captureNs);
      if (event === 'clock-step' && this.pace.isKnown) noteBreak(range, captureNs);
      if (event === 'duplicate' || event === 'repeat') range.duplicated += 1;
      if (event === 'late') range.reordered += 1;
      if (isFrame) this.noteFrame(range, captureNs, pause?.isLate === true);
    }
    this.lastPictureNs = captureNs;
    if (isFrame) this.lastFrameNs = captureNs;
    this.follow(kind);
  }

  /**
   * What was before a frame, if it was as long as a stall. A silence: the sender stamped no frame that came. Late: it did stamp
   * this one, which was held up on its way.
   */
  private pauseBefore(
    kind: FrameEvent,
    captureNs: number,
  ): { silence: Silence | null; isLate: boolean } | null {
    if (this.lastFrameNs === 0 || kind.event === 'late') return null;
    const stallNs = this.stallNs();
    const gapNs = captureNs - this.lastFrameNs;
    const isStamped = this.times.clock === 'timestamp' && kind.event === 'new' && this.lastFrame !== null;
    const stampedNs = isStamped ? (kind.frame.timeUs - (this.lastFrame?.timeUs ?? 0)) * 1000 : gapNs;
    const silence = stampedNs >= stallNs ? this.silenceUntil(captureNs) : null;
    const isLate = gapNs - stampedNs >= stallNs;
    return silence || isLate ? { silence, isLate } : null;
  }

  private silenceUntil(untilNs: number): Silence {
    const periodNs = this.pace.periodUs * 1000;
    const sinceNs = Math.min(this.lastFrameNs + periodNs, untilNs);
    return { lastNs: this.lastFrameNs, sinceNs, untilNs, periodNs, isRateKnown: this.pace.isKnown };
  }

  private noteSilence(range: OpenRange, silence: Silence): void {
    const { times } = range.silences.connected;
    range.silences.add(silence, range, this.connection);
    if (range.silences.connected.times > times) unknownTo(range, silence.untilNs);
  }

  private noteFrame(range: OpenRange, captureNs: number, isLate: boolean): void {
    range.received += 1;
    range.longestGapNs = Math.max(range.longestGapNs, captureNs - Math.max(this.lastFrameNs, range.fromNs));
    if (isLate) this.noteStallEnd(range, captureNs);
    if (range.lastFrameNs > 0) range.receiveInterval.add((captureNs - range.lastFrameNs) / 1000);
    range.lastFrameNs = captureNs;
  }

  /** The part of a stall from the newest frame on that lies in a range up to a moment. */
  private noteStallTo(range: OpenRange, toNs: number): void {
    const fromNs = Math.max(this.lastFrameNs, range.fromNs);
    if (toNs - fromNs >= this.stallNs()) range.stalls.push({ fromNs, toNs });
  }

  /**
   * A stall ends in a range. One that began before it counts here as well, and as a whole, where its part before is too short for the
   * range that is joined there to have it.
   */
  private noteStallEnd(range: OpenRange, captureNs: number): void {
    const { lastFrameNs } = this;
    if (range.fromNs - lastFrameNs >= this.stallNs()) {
      this.noteStallTo(range, captureNs);
      return;
    }
    range.stalls.push({ fromNs: lastFrameNs, toNs: captureNs });
    range.longestGapNs = Math.max(range.longestGapNs, captureNs - lastFrameNs);
  }

  private follow(kind: FrameEvent): void {
    if (!('frame' in kind)) return;
    const { event, frame } = kind;
    const { pace } = this;
    const stepUs = pace.newest ? frame.timeUs - pace.newest.timeUs : 0;
    if (event === 'late' || (event === 'repeat' && stepUs < 0)) {
      pace.addLate(frame);
      return;
    }
    if (event === 'clock-step' || stepUs * 1000 >= this.stallNs()) pace.interrupt();
    pace.add(frame);
    if (event !== 'repeat') this.lastFrame = frame;
  }

  private noteUnknown(why: Unknown, fromNs: number, toNs: number): void {
    for (const range of this.ranges) noteUnknown(range, why, fromNs, toNs);
  }

  /** Rates of a range up to a moment, including the frames that wait. */
  private ratesOf(range: OpenRange, toNs: number): RatesInUse {
    const rates = range.rates.copy();
    const { waitingRate } = this.pace;
    if (waitingRate && overlaps({ ...range, toNs }, waitingRate.fromNs, waitingRate.toNs))
      rates.add(waitingRate);
    return rates;
  }

  private redeclare(declared: DeclaredFormat): void {
    if (this.pace.isKnown) for (const range of this.ranges) noteBreak(range, this.lastPictureNs);
    this.pace.restart();
    this.declared = declared;
    this.times.restart(declared.frameFormat === 'fields');
  }

  private get unit(): string {
    return this.times.countsFields ? 'fields' : 'frames';
  }

  private get declaredPerSecond(): number {
    return framesPerSecond(this.declared.rate) * (this.times.countsFields ? 2 : 1);
  }

  private stallNs(): number {
    return stallSeconds(framesPerSecond(this.declared.rate)) * 1e9;
  }

  /** `shortestTailNs`: a shorter silence at the end may yet be a frame that is on its way. */
  private count(
    range: OpenRange,
    toNs: number,
    shortestTailNs: number,
    gaps: readonly ForeignGap[],
  ): ForeignCounts {
    const { fromNs, stalls } = range;
    const hasTimes = this.times.clock !== null;
    const silences = this.silencesOf(range, toNs, shortestTailNs);
    const tally = range.tally.copy();
    for (const gap of gaps) tally.add(gap, fromNs, toNs);
    const rates = this.ratesOf(range, toNs);
    const reason = this.unreportedOf(range, silences, rates);
    const lost = reason === '' || tally.frames > 0 ? tally : null;
    return {
      captured: range.captured,
      received: hasTimes ? range.received : null,
      duplicated: hasTimes && !range.hasSurplus ? range.duplicated : null,
      reordered: hasTimes ? range.reordered : null,
      missing: lost?.frames ?? null,
      missingReason: reason,
      unknownToNs: this.isUnknownNow(range, silences, rates) ? toNs : range.unknownToNs,
      unreportedBreaks: range.unreportedBreaks,
      placeholders: range.placeholders,
      greens: range.greens,
      stalls: stalls.length,
      lostAt: lost?.newest ? { fromNs: lost.losses[0]?.fromNs ?? fromNs, toNs: lost.newest.toNs } : null,
      stalledAt: spanOver(stalls),
      longestStallMs: longestMsOf(stalls),
      placeholdersAt: range.placeholdersAt,
      silences,
      longestGapMs: Math.max(range.longestGapNs, toNs - Math.max(range.lastFrameNs, fromNs)) / 1e6,
      worstWindowLost: lost?.worstWindow ?? null,
      worstSecondLost: lost?.worstSecond ?? null,
      gapHistogram: lost?.runs.gapHistogram ?? null,
      losses: lost?.losses ?? [],
      newestLoss: lost?.newest ?? null,
      framesPerSecond: rates.newest ? 1e6 / rates.newest.periodUs : this.framesPerSecond,
      methodText: this.methodOf(rates),
    };
  }

  /** With the one at the end, from when the first frame was due that had not come by then. */
  private silencesOf(range: OpenRange, toNs: number, shortestTailNs: number): ForeignSilences {
    const tail = this.silenceUntil(Number.POSITIVE_INFINITY);
    const isSilent = this.lastFrameNs > 0 && this.lastFrameNs < toNs && toNs - tail.sinceNs >= shortestTailNs;
    if (!isSilent) return range.silences;
    const silences = range.silences.copy();
    silences.add(tail, { fromNs: range.fromNs, toNs }, this.connection, shortestTailNs > 0);
    return silences;
  }

  /** Whether it is not known what is missing of the newest frames. */
  private isUnknownNow(range: OpenRange, { connected }: ForeignSilences, { newest }: RatesInUse): boolean {
    const isSilent = connected.times > range.silences.connected.times;
    const isSlowed = newest !== null && this.pace.quickerThan(newest.periodUs) !== null;
    return this.times.clock === null || !this.pace.isKnown || isSilent || isSlowed;
  }

  private unreportedOf(range: OpenRange, { connected }: ForeignSilences, rates: RatesInUse): string {
    if (this.times.clock === null) return unreportedTexts.noTimes;
    for (const { periodUs } of rates.all) {
      const quickerUs = this.pace.quickerThan(periodUs);
      if (quickerUs !== null) return slowedText(this.unit, periodUs, quickerUs);
    }
    if (range.unreported !== '') return range.unreported;
    if (connected.times > 0) return unreportedTexts.silent;
    if (range.unreportedBreaks > 0) return unreportedTexts.changed;
    return this.pace.isKnown ? '' : unreportedTexts[this.rateState === 'variable' ? 'variable' : 'searching'];
  }
}

function overlaps(range: Span, fromNs: number, toNs: number): boolean {
  return toNs > range.fromNs && fromNs < range.toNs;
}

function noteUnknown(range: OpenRange, why: Unknown | 'someTimes', fromNs: number, toNs: number): void {
  if (!overlaps(range, fromNs, toNs)) return;
  if (why === 'surplus') range.hasSurplus = true;
  unknownTo(range, toNs);
  if (why === 'changed') range.unreportedBreaks += 1;
  else range.unreported ||= unreportedTexts[why];
}

function noteBreak(range: OpenRange, atNs: number): void {
  range.unreportedBreaks += 1;
  unknownTo(range, atNs);
}

function unknownTo(range: OpenRange, atNs: number): void {
  range.unknownToNs = Math.max(range.unknownToNs, Math.min(atNs, range.toNs));
}

function notePlaceholder(range: OpenRange, atNs: number): void {
  range.placeholders += 1;
  range.placeholdersAt = { fromNs: range.placeholdersAt?.fromNs ?? atNs, toNs: atNs };
}

function sameFormat(one: DeclaredFormat, other: DeclaredFormat): boolean {
  return (
    one.frameFormat === other.frameFormat &&
    one.rate.numerator * other.rate.denominator === other.rate.numerator * one.rate.denominator
  );
}
