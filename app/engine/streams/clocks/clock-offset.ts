import type { ClockRecords } from '../../../protocol/records';
import { type ClockBounds, type ClockDrift, ClockEpoch, maxDriftPpm } from './clock-epoch';
import type { ClockStep, ReleaseClock } from './release-clock';

/** Stamps are whole µs. */
const resolutionUs = 1;
/** With fewer answers, the offset is unknown. */
const enoughAnswers = 5;
/** This many answers in a row that agree with each other but not with earlier ones are a step of the clock; fewer are errors. */
const answersOfStep = 3;
/** Without an answer within this time, the offset is unknown: a step would have gone unnoticed. */
const maxAgeUs = 60e6;
const keptEpochs = 4;
const keptSteps = 16;
/** For consecutive moments, the line through the answers is computed again at this interval. */
const gridUs = 50_000;

interface Estimate {
  epoch: ClockEpoch;
  gridAt: number;
  offsetUs: number;
  ppm: number;
  halfUs: number;
}

/**
 * The difference between the clocks of two machines, from questions for the time over the NDI connection. An answer
 * bounds it hard: their clock was read after we asked and before we had the answer, so it is known to within half the
 * time that question and answer were on their way, however unevenly that was shared between the two. Pure.
 */
export class ClockOffset implements ReleaseClock {
  readonly isShared = false;
  /** The newest of them. */
  readonly steps: ClockStep[] = [];
  stepCount = 0;
  /** Answers that were used, and those that no clock can have given. */
  answers = 0;
  refused = 0;
  overflowed = 0;
  private epochs: ClockEpoch[] = [new ClockEpoch()];
  /** The newest answers, if they do not fit to those before. */
  private suspects: ClockBounds[] = [];
  private newest: Estimate | null = null;

  /** `wallOffsetUs`: from our monotonic clock to our release clock, in which questions are stamped. */
  constructor(private readonly wallOffsetUs: number) {}

  add(records: ClockRecords): void {
    this.overflowed = records.overflowed;
    for (let index = 0; index < records.askedUs.length; index++) {
      const asked = records.askedUs[index] ?? Number.NaN;
      const heard = records.heardUs[index] ?? Number.NaN;
      const replied = records.repliedUs[index] ?? Number.NaN;
      const answered = records.answeredUs[index] ?? Number.NaN;
      const bounds = boundsOf(asked, heard, replied, answered);
      const newestUs = this.suspects[this.suspects.length - 1]?.atUs ?? this.current.newestUs;
      // Nothing is older than NaN, the newest of none.
      if (bounds && !(bounds.atUs < newestUs)) this.take(bounds);
      else this.refused += 1;
    }
  }

  /** The sender's release clock minus our monotonic clock, µs; null: not known at that moment. */
  offsetUs(atNs: number): number | null {
    const difference = this.differenceUs(atNs);
    return difference === null ? null : difference + this.wallOffsetUs;
  }

  /** The sender's release clock minus our release clock, µs; null: not known at that moment. */
  differenceUs(atNs: number): number | null {
    const atUs = this.releaseUs(atNs);
    const estimate = this.estimate(atUs);
    return estimate && estimate.offsetUs + ((atUs - estimate.gridAt) * estimate.ppm) / 1e6;
  }

  uncertaintyUs(atNs: number): number | null {
    return this.estimate(this.releaseUs(atNs))?.halfUs ?? null;
  }

  /** How fast the sender's clock runs against ours; null: not known yet. */
  get drift(): ClockDrift | null {
    return this.current.answers < enoughAnswers ? null : this.current.drift;
  }

  private get current(): ClockEpoch {
    return this.epochs[this.epochs.length - 1] as ClockEpoch;
  }

  private releaseUs(atNs: number): number {
    return atNs / 1000 + this.wallOffsetUs;
  }

  private take(bounds: ClockBounds): void {
    this.newest = null;
    if (this.current.answers === 0 || this.current.fits(bounds)) {
      this.refused += this.suspects.length;
      this.suspects = [];
      this.current.add(bounds);
      this.answers += 1;
      return;
    }
    const agreed = epochOf(this.suspects);
    if (agreed.answers > 0 && !agreed.fits(bounds)) {
      this.refused += this.suspects.length;
      this.suspects = [];
    }
    this.suspects.push(bounds);
    if (this.suspects.length >= answersOfStep) this.step();
  }

  private step(): void {
    const epoch = epochOf(this.suspects);
    const { firstUs } = epoch;
    this.answers += this.suspects.length;
    this.suspects = [];
    if (this.current.answers < enoughAnswers) {
      // Nothing was said yet: the first answers were the nonsense.
      this.epochs[this.epochs.length - 1] = epoch;
      return;
    }
    const byUs = middle(epoch.boundsAt(firstUs)) - middle(this.current.boundsAt(firstUs));
    this.steps.push({ atNs: (firstUs - this.wallOffsetUs) * 1000, byUs });
    this.stepCount += 1;
    if (this.steps.length > keptSteps) this.steps.shift();
    this.epochs = [...this.epochs, epoch].slice(-keptEpochs);
  }

  private estimate(atUs: number): Estimate | null {
    const epoch = this.epochAt(atUs);
    if (!epoch) return null;
    const gridAt = Math.round(atUs / gridUs) * gridUs;
    if (this.newest?.epoch === epoch && this.newest.gridAt === gridAt) return this.newest;
    const bounds = epoch.boundsAt(gridAt);
    const ppm = epoch.drift?.ppm ?? 0;
    // The line is straight within the grid, but for what the rate may be off.
    const gridError = ((gridUs / 2) * (epoch.drift?.uncertaintyPpm ?? maxDriftPpm)) / 1e6;
    this.newest = { epoch, gridAt, offsetUs: middle(bounds), ppm, halfUs: bounds.halfUs + gridError };
    return this.newest;
  }

  /** The answers that hold at a moment; null while a step is suspected, between two epochs, and far from all answers. */
  private epochAt(atUs: number): ClockEpoch | null {
    const [suspect] = this.suspects;
    if (suspect && atUs > this.current.newestUs) return null;
    for (let index = this.epochs.length - 1; index >= 0; index--) {
      const epoch = this.epochs[index] as ClockEpoch;
      if (atUs < epoch.firstUs && index > 0) continue;
      const isClosed = index < this.epochs.length - 1;
      if (epoch.answers < enoughAnswers || (isClosed && atUs > epoch.newestUs)) return null;
      const isNear = atUs > epoch.oldestUs - maxAgeUs && atUs < epoch.newestUs + maxAgeUs;
      return isNear ? epoch : null;
    }
    return null;
  }
}

/** Null for stamps that no two clocks can have given. */
function boundsOf(asked: number, heard: number, replied: number, answered: number): ClockBounds | null {
  const wayUs = answered - asked - (replied - heard);
  const isSound =
    [asked, heard, replied, answered].every(Number.isFinite) &&
    answered >= asked &&
    replied >= heard &&
    wayUs >= -2 * resolutionUs;
  if (!isSound) return null;
  // While the question was under way, the clocks went on against each other.
  const errorUs = resolutionUs + ((answered - asked) * maxDriftPpm) / 1e6;
  return {
    atUs: (asked + answered) / 2,
    lowUs: replied - answered - errorUs,
    highUs: heard - asked + errorUs,
  };
}

function epochOf(answers: readonly ClockBounds[]): ClockEpoch {
  const epoch = new ClockEpoch();
  for (const bounds of answers) epoch.add(bounds);
  return epoch;
}

function middle({ lowUs, highUs }: { lowUs: number; highUs: number }): number {
  return (lowUs + highUs) / 2;
}
