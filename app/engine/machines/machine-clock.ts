import { ClockOffset } from '../streams/clocks/clock-offset';
import type { ClockStep } from '../streams/clocks/release-clock';

/** One question for the time: asked and answered by our monotonic clock, heard and replied by theirs; ns. */
export interface TimeAnswer {
  askedNs: number;
  heardNs: number;
  repliedNs: number;
  answeredNs: number;
}

/** A straight piece of the line between the two clocks; it holds until the next one begins. */
interface Piece {
  theirNs: number;
  ourNs: number;
  /** Nanoseconds of ours for each of theirs. */
  rate: number;
}

/** The line is corrected so fast: an interval between two pictures of 60 a second is wrong by 8 µs at most. */
const mostSlew = 500e-6;
const slewNs = 1e9;
/** 16 s of answers, four a second: no record is on its way for longer. */
const keptPieces = 64;

/**
 * The monotonic clock of another machine, as seen from ours. Their moments are mapped to ours by a line without jumps, which
 * follows the offset and the drift that questions for the time show. It jumps only where their clock did.
 */
export class MachineClock {
  private readonly offset = new ClockOffset(0);
  private pieces: Piece[] = [];
  private knownSteps = 0;

  add({ askedNs, heardNs, repliedNs, answeredNs }: TimeAnswer): void {
    this.offset.add({
      askedUs: Float64Array.of(askedNs / 1000),
      heardUs: Float64Array.of(heardNs / 1000),
      repliedUs: Float64Array.of(repliedNs / 1000),
      answeredUs: Float64Array.of(answeredNs / 1000),
      overflowed: 0,
    });
    this.turn(answeredNs);
  }

  /** Enough answers came to map a moment. */
  get isKnown(): boolean {
    return this.pieces.length > 0;
  }

  /** The newest jumps of their clock. */
  get steps(): readonly ClockStep[] {
    return this.offset.steps;
  }

  /** Jumps of their clock so far. */
  get stepCount(): number {
    return this.offset.stepCount;
  }

  /** How fast their clock runs against ours, parts per million; null: not known yet. */
  get driftPpm(): number | null {
    return this.offset.drift?.ppm ?? null;
  }

  /** @throws Error before it is known */
  toOursNs(theirNs: number): number {
    const piece = this.pieceOf((one) => one.theirNs <= theirNs);
    return piece.ourNs + (theirNs - piece.theirNs) * piece.rate;
  }

  /** @throws Error before it is known */
  toTheirsNs(ourNs: number): number {
    const piece = this.pieceOf((one) => one.ourNs <= ourNs);
    return piece.theirNs + (ourNs - piece.ourNs) / piece.rate;
  }

  /** How far a moment of theirs that is mapped to this one may be off, ±; null: not known. */
  uncertaintyNs(ourNs: number): number | null {
    const halfUs = this.offset.uncertaintyUs(ourNs);
    const differenceUs = this.offset.differenceUs(ourNs);
    if (halfUs === null || differenceUs === null || !this.isKnown) return null;
    return halfUs * 1000 + Math.abs(this.toTheirsNs(ourNs) - ourNs - differenceUs * 1000);
  }

  /** Begins the next piece where the one before has come to, and has it meet the estimate again within a second. */
  private turn(ourNs: number): void {
    const differenceUs = this.offset.differenceUs(ourNs);
    if (differenceUs === null) return;
    const theirNs = ourNs + differenceUs * 1000;
    const rate = 1 / (1 + (this.driftPpm ?? 0) / 1e6);
    if (!this.isKnown || this.knownSteps !== this.offset.stepCount) {
      this.knownSteps = this.offset.stepCount;
      this.pieces = [...this.pieces, { theirNs, ourNs, rate }].slice(-keptPieces);
      return;
    }
    const mappedNs = this.toOursNs(theirNs);
    const slew = Math.max(-mostSlew, Math.min(mostSlew, (ourNs - mappedNs) / slewNs));
    this.pieces.push({ theirNs, ourNs: mappedNs, rate: rate * (1 + slew) });
    if (this.pieces.length > keptPieces) this.pieces.shift();
  }

  private pieceOf(holds: (piece: Piece) => boolean): Piece {
    for (let index = this.pieces.length - 1; index >= 0; index--) {
      const piece = this.pieces[index] as Piece;
      if (holds(piece)) return piece;
    }
    const [first] = this.pieces;
    if (!first) throw new Error('the clock of the machine is not known yet');
    return first;
  }
}
