import { kindOfVerb } from '../engine/faults/expected-counts';
import { slotPeriodNs } from '../engine/streams/counting/schedule';
import { noSpoilt, type SpoiltCounts } from '../facts/spoilt';
import { type Fault, type FaultVerb, LateCause, MissCause, PictureStatus } from '../protocol/records';
import { statusOfKind } from '../protocol/spoilt-status';
import { type Capture, captures, misses, sourceRecords, submits } from './columns';
import type { Random } from './random';
import { frameNs, latencyNs, type TestStream, testRate } from './test-stream';

/** What was put in, for each figure of a row that a fault moves. */
export interface Injected {
  missed: number;
  late: number;
  lateDisk: number;
  lateDecode: number;
  lateDamaged: number;
  dropped: number;
  queue: number;
  duplicated: number;
  reordered: number;
  spoilt: SpoiltCounts;
  matched: number;
  unmatched: number;
  stalls: number;
  wrongSource: number;
}

export const nothingInjected: Readonly<Injected> = {
  ...{ missed: 0, late: 0, lateDisk: 0, lateDecode: 0, lateDamaged: 0, dropped: 0, queue: 0, duplicated: 0 },
  ...{ reordered: 0, spoilt: noSpoilt(), matched: 0, unmatched: 0, stalls: 0, wrongSource: 0 },
};

/** The verbs of the fault injector, and what only the world does. */
const allKinds = [
  ...([
    'miss',
    'skip',
    'repeat',
    'swap',
    'tear',
    'tear-middle',
    'stale-band',
    'damage-top',
    'damage-bottom',
    'black',
    'green',
    'swap-chroma',
    'dim',
    'shrink',
    'mislabel',
    'delay',
    'stall',
  ] as const),
  ...(['queue', 'repeat-later', 'black-and-skip', 'extra-black', 'wrong-source', 'late'] as const),
];

type Kind = (typeof allKinds)[number];

const lateCauses = {
  lateDisk: LateCause.Disk,
  lateDecode: LateCause.Decode,
  lateDamaged: LateCause.Damaged,
} as const;

const periodNs = slotPeriodNs(testRate);
/** Silences clearly shorter and clearly longer than the half second that makes a stall. */
const shortSilence = { first: 2, last: 26 };
const longSilence = { first: 33, last: 70 };
/** A quarter of a second: what `checkFaults` wants clean after a stall. */
const afterStallFrames = 16;
/** Pictures that the SDK keeps for a receiver that does not fetch. */
const sdkQueue = 10;

/**
 * A path from sender to receiver without NDI, faster than real time: random faults with clean frames between them, and
 * a count of what was put in by the code that put it in.
 */
export class SimulatedPath {
  readonly injected: Injected = { ...nothingInjected, spoilt: noSpoilt() };
  /** Those of the faults that the fault injector knows, by its own verbs and absolute numbers. */
  readonly faults: Fault[] = [];
  /** Slots that never came with a readable picture, rising, and what was lost by slot, since the last `takeLosses`. */
  private absent: number[] = [];
  private lost: number[] = [];
  /** Next slot that was not played yet. */
  next: number;
  private transportDropped = 0;
  private slots: number[] = [];
  private late = new Map<number, number>();
  private missed: { slot: number; cause: number }[] = [];
  private pictures: Capture[] = [];

  constructor(
    private readonly stream: TestStream,
    private readonly random: Random,
    first: number,
    private readonly kinds: readonly Kind[] = allKinds,
  ) {
    this.next = first;
  }

  /** Plays at least this many frames and hands the records over, the stages in any order. */
  play(frames: number): void {
    const until = this.next + frames;
    while (this.next < until) {
      this.passClean(this.random.whole(4, 60));
      this.fault();
    }
    this.passClean(4);
    this.handOver();
  }

  /** What was lost since the last call: for gaps by their length, and for the worst second. */
  takeLosses(): { absent: number[]; lost: number[] } {
    const { absent, lost } = this;
    this.absent = [];
    this.lost = [];
    return { absent, lost };
  }

  private fault(): void {
    const { random, injected } = this;
    const fault = random.pick(this.kinds);
    const length = random.whole(1, 6);
    switch (fault) {
      case 'miss':
        injected.missed += length;
        this.each(fault, length, (slot) => this.miss(slot, MissCause.Injected));
        break;
      case 'skip': {
        const isLong = random.chance(0.15);
        const frames = isLong ? random.whole(longSilence.first, longSilence.last) : length;
        injected.stalls += isLong ? 1 : 0;
        this.each(fault, frames, (slot) => this.drop(slot));
        break;
      }
      case 'repeat':
        injected.duplicated += length;
        this.each(fault, length, (slot) => {
          this.pass(slot);
          this.pass(slot);
        });
        break;
      case 'swap': {
        const first = this.schedule();
        for (let index = 0; index < length; index++) this.pass(this.schedule());
        this.pass(first);
        injected.reordered += 1;
        this.faults.push({ verb: 'swap', first, last: this.next - 1 });
        break;
      }
      case 'tear':
      case 'tear-middle':
      case 'stale-band':
      case 'damage-top':
      case 'damage-bottom':
      case 'green':
      case 'swap-chroma':
      case 'dim':
      case 'shrink':
      case 'mislabel':
        injected.spoilt[kindOfVerb[fault]] += length;
        this.each(fault, length, (slot) => this.spoil(slot, statusOfKind[kindOfVerb[fault]]));
        break;
      case 'black':
        this.each(fault, length, (slot) => this.blacken(slot));
        break;
      case 'delay':
        this.delay();
        break;
      case 'stall':
        this.stall();
        break;
      case 'queue': {
        const rise = random.whole(1, length + 2);
        this.transportDropped += rise;
        injected.queue += Math.min(rise, length);
        for (let index = 0; index < length; index++) this.drop(this.schedule());
        break;
      }
      case 'repeat-later': {
        const slot = this.schedule();
        this.pass(slot);
        this.passClean(length);
        this.pass(slot);
        injected.duplicated += 1;
        break;
      }
      case 'black-and-skip':
        this.blacken(this.schedule());
        for (let index = 0; index < length; index++) this.drop(this.schedule());
        break;
      case 'extra-black':
        injected.unmatched += length;
        for (let index = 0; index < length; index++) {
          this.pass(this.next, { status: PictureStatus.Undecodable });
          this.lost.push(this.next - 1);
        }
        break;
      case 'wrong-source':
        injected.wrongSource += 1;
        this.pass(this.next, { sourceId: 1 });
        break;
      case 'late': {
        const figure = random.pick(['lateDisk', 'lateDecode', 'lateDamaged', null] as const);
        injected.late += length;
        if (figure) injected[figure] += length;
        for (let index = 0; index < length; index++) {
          const slot = this.schedule();
          this.late.set(slot, figure ? lateCauses[figure] : LateCause.Command);
          this.pass(slot);
        }
        break;
      }
    }
  }

  /** A send call that takes longer: the slots whose deadline passes meanwhile are missed. */
  private delay(): void {
    const slot = this.schedule();
    const { first, last } = this.random.chance(0.2) ? longSilence : { first: 0, last: shortSilence.last };
    if (first > 0) this.injected.stalls += 1;
    const delayMs = Math.max(1, Math.round((this.random.whole(first, last) * periodNs) / 1e6));
    const endNs = frameNs(slot) + delayMs * 1e6;
    this.pass(slot, { captureNs: endNs + latencyNs });
    this.faults.push({ verb: 'delay', first: slot, last: slot, delayMs });
    // Slots begin at whole nanoseconds: one that is due at the very end of the call may be rounded to a moment after it.
    while (frameNs(this.next + 1) <= endNs + 1) {
      this.injected.missed += 1;
      this.miss(this.schedule(), MissCause.SendBlocked);
    }
    const held = this.schedule();
    this.pass(held, { captureNs: Math.max(endNs, frameNs(held)) + latencyNs });
  }

  /** A receiver that fetches nothing: the SDK keeps the newest pictures and counts what it throws away. */
  private stall(): void {
    const first = this.schedule();
    this.pass(first);
    const isLong = this.random.chance(0.5);
    const { first: shortest, last: longest } = isLong ? longSilence : shortSilence;
    const waiting = Array.from({ length: this.random.whole(shortest, longest) - 1 }, () => this.schedule());
    this.injected.stalls += isLong ? 1 : 0;
    this.faults.push({ verb: 'stall', first, last: this.next - 1 });
    const thrownAway = waiting.slice(0, Math.max(0, waiting.length - sdkQueue));
    for (const slot of thrownAway) this.drop(slot);
    this.transportDropped += thrownAway.length;
    this.injected.queue += thrownAway.length;
    const captureNs = frameNs(this.next) + latencyNs;
    for (const slot of waiting.slice(thrownAway.length)) this.pass(slot, { captureNs });
    this.passClean(afterStallFrames);
  }

  private each(verb: FaultVerb, length: number, act: (slot: number) => void): void {
    this.faults.push({ verb, first: this.next, last: this.next + length - 1 });
    for (let index = 0; index < length; index++) act(this.schedule());
  }

  private passClean(frames: number): void {
    for (let index = 0; index < frames; index++) this.pass(this.schedule());
  }

  private miss(slot: number, cause: number): void {
    this.missed.push({ slot, cause });
    this.absent.push(slot);
  }

  private drop(slot: number): void {
    this.injected.dropped += 1;
    this.absent.push(slot);
    this.lost.push(slot);
  }

  /** It comes, but not as it was sent. */
  private spoil(slot: number, status: number): void {
    this.lost.push(slot);
    this.pass(slot, { status });
  }

  private blacken(slot: number): void {
    this.injected.matched += 1;
    this.absent.push(slot);
    this.lost.push(slot);
    this.pass(slot, { status: PictureStatus.Undecodable });
  }

  private schedule(): number {
    this.slots.push(this.next);
    return this.next++;
  }

  private pass(slot: number, capture: Partial<Capture> = {}): void {
    const captureNs = frameNs(slot) + latencyNs;
    const releaseTimeUs = frameNs(slot) / 1000;
    const { transportDropped } = this;
    const { sourceId } = this.stream.ledger.identity;
    this.pictures.push({
      frameNumber: slot % 2 ** 32,
      captureNs,
      releaseTimeUs,
      transportDropped,
      sourceId,
      ...capture,
    });
  }

  private handOver(): void {
    const { ledger, source } = this.stream;
    const missed = new Set(this.missed.map(({ slot }) => slot));
    const missesOf = (cause: number): number[] =>
      this.missed.filter((miss) => miss.cause === cause).map(({ slot }) => slot);
    const stages = [
      () => source.add(sourceRecords(this.slots, this.late)),
      () => ledger.addSubmits(submits(this.slots.filter((slot) => !missed.has(slot)))),
      () => ledger.addMisses(misses(missesOf(MissCause.Injected), MissCause.Injected)),
      () => ledger.addMisses(misses(missesOf(MissCause.SendBlocked), MissCause.SendBlocked)),
      () => ledger.addCaptures(captures(this.pictures)),
    ];
    while (stages.length > 0) stages.splice(this.random.whole(0, stages.length - 1), 1)[0]?.();
    this.slots = [];
    this.late = new Map();
    this.missed = [];
    this.pictures = [];
  }
}
