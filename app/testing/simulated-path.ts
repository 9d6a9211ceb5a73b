import { CodeStatus, LateCause, MissCause } from '../protocol/records';
import { type Capture, captures, misses, sourceRecords, submits } from './columns';
import type { Random } from './random';
import { frameNs, latencyNs, type TestStream } from './test-stream';

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
  torn: number;
  damaged: number;
  matched: number;
  unmatched: number;
}

export const nothingInjected: Readonly<Injected> = {
  ...{
    missed: 0,
    late: 0,
    lateDisk: 0,
    lateDecode: 0,
    lateDamaged: 0,
    dropped: 0,
    queue: 0,
    duplicated: 0,
    reordered: 0,
  },
  ...{ torn: 0, damaged: 0, matched: 0, unmatched: 0 },
};

const faults = [
  ...(['miss', 'skip', 'queue', 'repeat', 'repeat-later', 'delay', 'tear', 'damage'] as const),
  ...(['black', 'black-and-skip', 'extra-black', 'wrong-source', 'late'] as const),
];

const lateCauses = {
  lateDisk: LateCause.Disk,
  lateDecode: LateCause.Decode,
  lateDamaged: LateCause.Damaged,
} as const;

/**
 * A path from sender to receiver without NDI, faster than real time: random faults with clean frames between them, and
 * a count of what was put in by the code that put it in.
 */
export class SimulatedPath {
  readonly injected: Injected = { ...nothingInjected };
  /** Next slot that was not played yet. */
  next: number;
  private sdkDropped = 0;
  private slots: number[] = [];
  private late = new Map<number, number>();
  private missed: number[] = [];
  private pictures: Capture[] = [];

  constructor(
    private readonly stream: TestStream,
    private readonly random: Random,
    first: number,
  ) {
    this.next = first;
  }

  /** Plays at least so many frames and hands the records over, the stages in any order. */
  play(frames: number): void {
    const until = this.next + frames;
    while (this.next < until) {
      for (let clean = this.random.whole(4, 60); clean > 0; clean--) this.pass(this.schedule());
      this.fault();
    }
    for (let clean = 0; clean < 4; clean++) this.pass(this.schedule());
    this.handOver();
  }

  private fault(): void {
    const { random, injected } = this;
    const length = random.whole(1, 6);
    const each = (act: (slot: number) => void): void => {
      for (let index = 0; index < length; index++) act(this.schedule());
    };
    switch (random.pick(faults)) {
      case 'miss':
        injected.missed += length;
        each((slot) => this.missed.push(slot));
        break;
      case 'skip':
        injected.dropped += length;
        each(() => undefined);
        break;
      case 'queue': {
        const rise = random.whole(1, length + 2);
        this.sdkDropped += rise;
        injected.dropped += length;
        injected.queue += Math.min(rise, length);
        each(() => undefined);
        break;
      }
      case 'repeat':
        injected.duplicated += length;
        each((slot) => {
          this.pass(slot);
          this.pass(slot);
        });
        break;
      case 'repeat-later': {
        const slot = this.schedule();
        this.pass(slot);
        each((later) => this.pass(later));
        this.pass(slot);
        injected.duplicated += 1;
        break;
      }
      case 'delay': {
        const slot = this.schedule();
        each((later) => this.pass(later));
        this.pass(slot);
        injected.reordered += 1;
        break;
      }
      case 'tear':
        injected.torn += length;
        each((slot) => this.pass(slot, { status: CodeStatus.Torn }));
        break;
      case 'damage':
        injected.damaged += length;
        each((slot) => this.pass(slot, { status: CodeStatus.Damaged }));
        break;
      case 'black':
        injected.matched += length;
        each((slot) => this.pass(slot, { status: CodeStatus.Undecodable }));
        break;
      case 'black-and-skip':
        injected.matched += 1;
        injected.dropped += length;
        this.pass(this.schedule(), { status: CodeStatus.Undecodable });
        each(() => undefined);
        break;
      case 'extra-black':
        injected.unmatched += length;
        for (let index = 0; index < length; index++) this.pass(this.next, { status: CodeStatus.Undecodable });
        break;
      case 'wrong-source':
        this.pass(this.next, { sourceId: 1 });
        break;
      case 'late': {
        const figure = random.pick(['lateDisk', 'lateDecode', 'lateDamaged', null] as const);
        injected.late += length;
        if (figure) injected[figure] += length;
        each((slot) => {
          this.late.set(slot, figure ? lateCauses[figure] : LateCause.Command);
          this.pass(slot);
        });
        break;
      }
    }
  }

  private schedule(): number {
    this.slots.push(this.next);
    return this.next++;
  }

  private pass(slot: number, capture: Partial<Capture> = {}): void {
    const captureNs = frameNs(slot) + latencyNs;
    const releaseTimeUs = frameNs(slot) / 1000;
    const { sdkDropped } = this;
    this.pictures.push({ frameNumber: slot % 2 ** 32, captureNs, releaseTimeUs, sdkDropped, ...capture });
  }

  private handOver(): void {
    const { ledger, source } = this.stream;
    const missed = new Set(this.missed);
    const stages = [
      () => source.add(sourceRecords(this.slots, this.late)),
      () => ledger.addSubmits(submits(this.slots.filter((slot) => !missed.has(slot)))),
      () => ledger.addMisses(misses(this.missed, MissCause.Injected)),
      () => ledger.addCaptures(captures(this.pictures)),
    ];
    while (stages.length > 0) stages.splice(this.random.whole(0, stages.length - 1), 1)[0]?.();
    this.slots = [];
    this.late = new Map();
    this.missed = [];
    this.pictures = [];
  }
}
