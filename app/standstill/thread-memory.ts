import { SharedStandstills } from './shared-standstills';

/** More than 10 s of standstill in pieces that nobody has taken. */
const pieces = 1024;
const headBytes = 16;

/** What the thread that watches and the process that it watches share. */
export class ThreadMemory {
  readonly standstills: SharedStandstills;
  private readonly words: Int32Array;
  private readonly dueAt: BigInt64Array;

  constructor(readonly buffer = new SharedArrayBuffer(headBytes + SharedStandstills.bytesFor(pieces))) {
    this.words = new Int32Array(buffer, 0, 2);
    this.dueAt = new BigInt64Array(buffer, 8, 1);
    this.standstills = new SharedStandstills(buffer, headBytes);
  }

  /** The thread is awake, has written all that it found, and is due again then. */
  beat(dueNs: number): void {
    Atomics.store(this.dueAt, 0, BigInt(dueNs));
    Atomics.add(this.words, beats, 1);
    Atomics.notify(this.words, beats);
  }

  /** Sleeps; false: the watch was closed. */
  sleep(ms: number): boolean {
    Atomics.wait(this.words, isClosed, 0, ms);
    return Atomics.load(this.words, isClosed) === 0;
  }

  get beats(): number {
    return Atomics.load(this.words, beats);
  }

  get dueNs(): number {
    return Number(Atomics.load(this.dueAt, 0));
  }

  /** Blocks until there were more beats than these, or for so long. */
  awaitBeat(than: number, ms: number): void {
    Atomics.wait(this.words, beats, than, ms);
  }

  close(): void {
    Atomics.store(this.words, isClosed, 1);
    Atomics.notify(this.words, isClosed);
  }
}

const beats = 0;
const isClosed = 1;
