import type { DeclaredFormat } from '../engine/streams/foreign/foreign-ledger';
import type { Rate } from '../protocol/format';
import { type CaptureRecords, PictureClass, PictureStatus } from '../protocol/records';
import { stallSeconds } from '../protocol/thresholds';
import type { Random } from './random';

interface Span {
  fromNs: number;
  toNs: number;
}

interface Picture {
  captureNs: number;
  timestampUs: number;
  timecodeUs: number;
}

const rates: Rate[] = [
  ...[12, 15, 24, 25, 30, 48, 50, 60, 72, 120].map((numerator) => ({ numerator, denominator: 1 })),
  ...[24_000, 30_000, 60_000].map((numerator) => ({ numerator, denominator: 1001 })),
];
const clockUs = 1_700_000_000e6;
const perSecond = ({ numerator, denominator }: Rate): number => numerator / denominator;

/** How much of each kind a sender has; a plain one has none. */
const habits = {
  rateChanges: 0.35,
  pauses: 0.2,
  restarts: 0.1,
  linkDowns: 0.1,
  heldUp: 0.15,
  hiccups: 0.2,
  onChange: 0.15,
  cadence: 0.12,
  duplicates: 0.2,
  repeats: 0.1,
  reorders: 0.15,
  singleLosses: 0.35,
  lossBursts: 0.25,
  heavyLosses: 0.08,
  wanders: 0.15,
  fields: 0.1,
} as const;

type Habit = keyof typeof habits;

/**
 * A sender without our frame code, made up out of random numbers, and what is true of it: which of the frames that it sent never
 * came. Times are those of the receiver's clock, from 1 s on.
 */
export class MadeUpForeignSender {
  readonly declared: DeclaredFormat;
  readonly has: ReadonlySet<Habit>;
  readonly pictures: Picture[] = [];
  /** When frames should have come that were sent and did not, but for those of `goneAt`. */
  readonly lostNs: number[] = [];
  readonly goneAt: Span[] = [];
  /** No new frame was sent for as long as a stall. */
  readonly silentAt: Span[] = [];
  /** Frames were held up on their way, and came all together. */
  readonly heldUpAt: Span[] = [];
  private nowNs = 1e9;
  private heldToNs = 0;
  private readonly jitter: number;
  private readonly delayNs: number;
  private readonly stallNs: number;
  private readonly hasTimecodes: boolean;
  private mediaUs = 0;
  private stampUs = 0;
  /** Sends one frame in this many again, with its own time; 0: none. */
  private readonly againEvery: number = 0;
  private sinceAgain = 0;

  /** `doubts`: makes what cannot be told from a sender that is as it should be: frames left out evenly, or sent again as new ones. */
  constructor(
    private readonly random: Random,
    seconds: number,
    private readonly doubts: Random | null = null,
  ) {
    this.has = new Set((Object.keys(habits) as Habit[]).filter((habit) => random.chance(habits[habit])));
    const isFields = this.has.has('fields');
    const rate = isFields ? random.pick(rates.filter((one) => perSecond(one) <= 30)) : random.pick(rates);
    this.declared = { rate, frameFormat: isFields ? 'fields' : 'progressive' };
    this.jitter = random.pick([0, 0.02, 0.08, 0.15]);
    this.delayNs = random.next() * 20e6;
    this.stallNs = stallSeconds(perSecond(rate)) * 1e9;
    this.hasTimecodes = isFields || this.has.has('repeats');
    const endNs = this.nowNs + seconds * 1e9;
    let current = perSecond(rate) * (isFields ? 2 : 1);
    if (!isFields && random.chance(0.2)) current = perSecond(random.pick(rates));
    if (!isFields && current >= 24 && !this.has.has('repeats') && doubts?.chance(0.3)) this.againEvery = 15;
    this.steady(current, 2.5, false);
    while (this.nowNs < endNs) {
      if (this.has.has('rateChanges') && !isFields && random.chance(0.6))
        current = perSecond(random.pick(rates));
      this.something(current);
      this.steady(current, 2 + 2 * random.next(), true);
      if (!isFields && doubts?.chance(0.5)) this.leaveOut(current, doubts);
    }
    this.pictures.sort((a, b) => a.captureNs - b.captureNs);
    if (this.has.has('reorders')) this.reorder();
  }

  /** As a receiver reports them: in batches of a quarter of a second. */
  *batches(): Generator<CaptureRecords> {
    const { pictures } = this;
    const all = columns(pictures);
    let from = 0;
    while (from < pictures.length) {
      const beginNs = pictures[from]?.captureNs ?? 0;
      let to = from;
      while (to < pictures.length && (pictures[to]?.captureNs ?? 0) < beginNs + 0.25e9) to += 1;
      yield {
        ...all,
        captureNs: all.captureNs.subarray(from, to),
        timestampUs: all.timestampUs.subarray(from, to),
        timecodeUs: all.timecodeUs.subarray(from, to),
      };
      from = to;
    }
  }

  private something(current: number): void {
    const { random } = this;
    const kinds = (
      ['pauses', 'restarts', 'linkDowns', 'onChange', 'cadence', 'heldUp', 'hiccups'] as const
    ).filter((kind) => this.has.has(kind));
    if (kinds.length === 0) return;
    const kind = random.pick(kinds);
    const fromNs = this.nowNs;
    const longNs = this.stallNs * (1.2 + 3 * random.next());
    const isFields = this.has.has('fields');
    if (kind === 'pauses' || kind === 'restarts') {
      this.nowNs += longNs;
      if (kind === 'restarts') this.goneAt.push({ fromNs: fromNs + 0.1e9, toNs: this.nowNs });
      else this.silentAt.push({ fromNs, toNs: this.nowNs });
    } else if (kind === 'linkDowns') {
      const frames = Math.ceil((longNs / 1e9) * current);
      this.nowNs += (frames * 1e9) / current;
      this.goneAt.push({ fromNs: fromNs + 0.1e9, toNs: this.nowNs });
    } else if (kind === 'heldUp') {
      this.heldToNs = fromNs + longNs;
      this.heldUpAt.push({ fromNs, toNs: this.heldToNs });
    } else if (isFields) return;
    else if (kind === 'hiccups') {
      // Handed over late, and then at once.
      const frames = random.whole(1, 6);
      const periodNs = 1e9 / current;
      for (let frame = 0; frame < frames; frame++)
        this.send(fromNs + frames * periodNs + frame * 20e3 - periodNs * 0.1, periodNs);
      this.nowNs += frames * periodNs;
    } else if (kind === 'onChange') this.sendOnChange(1e9 / current);
    else this.cadence();
  }

  /** Whole frames at a rate. */
  private steady(rate: number, seconds: number, mayLose: boolean): void {
    const { random, has } = this;
    const periodNs = 1e9 / rate;
    const count = Math.round(seconds * rate);
    const beginNs = this.nowNs;
    const heavy = has.has('heavyLosses') && random.chance(0.5) ? 0.4 + 0.5 * random.next() : 0;
    const share = heavy || (has.has('singleLosses') ? random.pick([0.005, 0.02, 0.1]) : 0);
    let burst = 0;
    let walkNs = 0;
    for (let frame = 0; frame < count; frame++) {
      // Losses next to a change of rate, or to the beginning, cannot be detected.
      const isInside = frame > 0.4 * rate && frame < count - 0.4 * rate;
      if (burst > 0) burst -= 1;
      else if (has.has('lossBursts') && random.chance(0.004))
        burst = random.whole(1, Math.floor((0.8 * this.stallNs) / periodNs) - 2);
      const isLost = mayLose && isInside && (burst > 0 || random.chance(share));
      if (has.has('wanders')) walkNs += (random.next() - 0.5) * 0.03 * periodNs;
      const atNs = beginNs + frame * periodNs + walkNs + (random.next() * 2 - 1) * this.jitter * periodNs;
      if (isLost) {
        this.lostNs.push(atNs + this.delayNs);
        this.mediaUs += periodNs / 1000;
      } else this.send(atNs, has.has('repeats') && isInside && random.chance(0.01) ? 0 : periodNs);
    }
    this.nowNs = beginNs + count * periodNs + walkNs;
  }

  /** Sends only one frame in `rate` for a while. */
  private leaveOut(rate: number, random: Random): void {
    const oneOf = random.pick([2, 2, 2, 3, 4]);
    if (oneOf / rate >= 0.4) return;
    const beginNs = this.nowNs;
    const count = Math.ceil((random.next() * random.pick([0.5, 4]) * rate) / oneOf) * oneOf;
    for (let frame = 0; frame < count; frame++) {
      const atNs = beginNs + (frame * 1e9) / rate;
      if (frame % oneOf === 0) this.send(atNs, 1e9 / rate);
      else this.lostNs.push(atNs + this.delayNs);
    }
    this.nowNs = beginNs + (count * 1e9) / rate;
    this.steady(rate, 1, false);
  }

  /** Frames at odd times, or at long and regular ones. What is shorter than a few stalls looks like frames that were lost. */
  private sendOnChange(periodNs: number): void {
    const { random } = this;
    const endNs = this.nowNs + (3 + 3 * random.next()) * this.stallNs;
    const isRegular = random.chance(0.3);
    const everyNs = isRegular ? random.pick([0.7e9, 1e9, 3e9]) : (4 + 10 * random.next()) * periodNs;
    while (this.nowNs < endNs) {
      const waitNs = isRegular ? everyNs : -Math.log(1 - random.next()) * everyNs + 20e6;
      if (waitNs >= this.stallNs) this.silentAt.push({ fromNs: this.nowNs, toNs: this.nowNs + waitNs });
      this.nowNs += waitNs;
      this.send(this.nowNs, 1);
    }
    this.nowNs += 20e6;
  }

  /** Frames of a slower rate, at the times of a quicker one. */
  private cadence(): void {
    const [slow, quick] = this.random.pick([
      ...([[24, 60] as const, [24, 50] as const, [24, 30] as const, [25, 60] as const] as const),
      ...([[50, 60] as const, [40, 60] as const, [30, 60] as const] as const),
    ]);
    const beginNs = this.nowNs;
    const count = Math.round((2.5 + 2 * this.random.next()) * slow);
    for (let frame = 0; frame < count; frame++)
      this.send(beginNs + (Math.ceil((frame * quick) / slow - 1e-9) / quick) * 1e9, 1e9 / slow);
    this.nowNs = beginNs + (count * 1e9) / slow;
  }

  private send(atNs: number, periodNs: number): void {
    const { random, has } = this;
    const isHeld = atNs < this.heldToNs;
    const wayNs = this.delayNs + random.next() * 1e6;
    const earliestNs = isHeld ? this.heldToNs + this.delayNs : atNs + wayNs;
    const captureNs = Math.max(earliestNs, (this.pictures.at(-1)?.captureNs ?? 0) + 20e3);
    // The SDK stamps frames when they are handed over, one after the other.
    const stampUs = Math.max(Math.round((clockUs + atNs / 1000) * 10) / 10, this.stampUs + 1);
    this.stampUs = stampUs;
    this.mediaUs += periodNs / 1000;
    const timecodeUs = this.hasTimecodes
      ? clockUs + (has.has('fields') ? atNs / 1000 : this.mediaUs)
      : Number.NaN;
    this.pictures.push({ captureNs, timestampUs: stampUs, timecodeUs });
    if (has.has('duplicates') && !has.has('fields') && random.chance(0.02))
      this.pictures.push({ captureNs: captureNs + 0.3e6, timestampUs: stampUs, timecodeUs });
    this.sinceAgain += 1;
    if (this.againEvery === 0 || this.sinceAgain < this.againEvery || isHeld) return;
    this.sinceAgain = 0;
    const laterUs = ((this.doubts?.next() ?? 0) * 0.5 * periodNs) / 1000;
    this.stampUs = stampUs + laterUs;
    this.pictures.push({ captureNs: captureNs + laterUs * 1000, timestampUs: this.stampUs, timecodeUs });
  }

  /** Two pictures that follow each other change places. */
  private reorder(): void {
    const { pictures, random } = this;
    for (let index = 60; index + 1 < pictures.length; index++) {
      const [one, other] = [pictures[index], pictures[index + 1]];
      if (!one || !other || other.captureNs - one.captureNs > 0.1e9 || !random.chance(0.01)) continue;
      [pictures[index], pictures[index + 1]] = [
        { ...other, captureNs: one.captureNs },
        { ...one, captureNs: other.captureNs },
      ];
      index += 1;
    }
  }
}

function columns(pictures: readonly Picture[]): CaptureRecords {
  const count = pictures.length;
  const none = new Uint16Array(count);
  return {
    captureNs: Float64Array.from(pictures, ({ captureNs }) => captureNs),
    timestampUs: Float64Array.from(pictures, ({ timestampUs }) => timestampUs),
    timecodeUs: Float64Array.from(pictures, ({ timecodeUs }) => timecodeUs),
    status: new Uint8Array(count).fill(PictureStatus.Undecodable),
    pictureClass: new Uint8Array(count).fill(PictureClass.Other),
    ...{ frameNumber: new Uint32Array(count), releaseTimeUs: new Float64Array(count) },
    ...{ codeHealth: new Float32Array(count), transportDropped: new Float64Array(count), overflowed: 0 },
    ...{ sourceId: none, senderId: none, firstSpoiltRow: none, lastSpoiltRow: none },
    ...{ linePlaces: none, lineWitnesses: none },
  };
}
