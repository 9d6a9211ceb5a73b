import type { Standstill } from '../protocol/standstill';

const kinds = ['stopped', 'starved'] as const;
const numbersPerPiece = 3;
/** In front of the pieces: how many were written, how many were taken, and what did not fit, by kind. */
const written = 0;
const taken = 1;
const unfitted = { stopped: 2, starved: 3 } as const;
const headNumbers = 4;

/**
 * A list of standstills in memory that two threads share: one writes to it, the other empties it. When the list is full, it keeps the
 * first pieces and adds up the later ones.
 */
export class SharedStandstills {
  private readonly numbers: BigInt64Array;
  private readonly capacity: number;

  static bytesFor(pieces: number): number {
    return BigInt64Array.BYTES_PER_ELEMENT * (headNumbers + numbersPerPiece * pieces);
  }

  constructor(memory: SharedArrayBuffer, byteOffset = 0) {
    this.numbers = new BigInt64Array(memory, byteOffset);
    this.capacity = Math.floor((this.numbers.length - headNumbers) / numbersPerPiece);
  }

  /** By the one thread. */
  write({ kind, fromNs, toNs }: Standstill): void {
    const number = this.at(written);
    if (number - this.at(taken) >= this.capacity) {
      Atomics.add(this.numbers, unfitted[kind], BigInt(toNs - fromNs));
      return;
    }
    const place = this.placeOf(number);
    const piece = [kinds.indexOf(kind), fromNs, toNs];
    for (const [index, value] of piece.entries()) Atomics.store(this.numbers, place + index, BigInt(value));
    Atomics.store(this.numbers, written, BigInt(number + 1));
  }

  /** By the other thread. What was summed up ends now: when it was in truth is not known. */
  take(nowNs: number): Standstill[] {
    const [first, end] = [this.at(taken), this.at(written)];
    const pieces = Array.from({ length: end - first }, (_, index) => this.pieceAt(first + index));
    Atomics.store(this.numbers, taken, BigInt(end));
    const sums = kinds.map((kind): Standstill => {
      const sumNs = Number(Atomics.exchange(this.numbers, unfitted[kind], 0n));
      return { kind, fromNs: nowNs - sumNs, toNs: nowNs };
    });
    return [...pieces, ...sums.filter(({ fromNs, toNs }) => toNs > fromNs)];
  }

  private pieceAt(number: number): Standstill {
    const place = this.placeOf(number);
    const kind = kinds[this.at(place)] ?? 'starved';
    return { kind, fromNs: this.at(place + 1), toNs: this.at(place + 2) };
  }

  private placeOf(number: number): number {
    return headNumbers + numbersPerPiece * (number % this.capacity);
  }

  private at(index: number): number {
    return Number(Atomics.load(this.numbers, index));
  }
}
