import type { RunContext } from '../../engine/experiment/experiment';
import type { StreamPhase } from '../../protocol/console';
import type { StreamLoadParameters } from './declaration';

/** What is expected of phases that end by themselves. */
const connectSeconds = 0.2;
const lastFramesSeconds = 0.5;

type Times = Pick<StreamLoadParameters, 'holdSeconds' | 'warmUpSeconds' | 'repeats' | 'maxStreams'>;

/**
 * Reports what is being done, and the longest time that the ramp may still take. That never rises between reports, unless a note says why.
 */
export class RampProgress {
  private numbersAfter = 0;
  private repeatsAfter = 0;
  private note: string | undefined;

  constructor(
    private readonly parameters: Times,
    private readonly context: Pick<RunContext, 'progress'>,
  ) {}

  /**
   * Begins a number of streams.
   * @param numbersAfter how many numbers come after it at most
   * @param repeatsAfter how many repeats of this one
   */
  begin(numbersAfter: number, repeatsAfter = 0): void {
    this.numbersAfter = numbersAfter;
    this.repeatsAfter = repeatsAfter;
    this.note = undefined;
  }

  /** Begins a further repeat of it. */
  nextRepeat(): void {
    this.repeatsAfter -= 1;
  }

  /** Why it takes longer than was reported before. */
  takesLonger(note: string): void {
    this.note = note;
  }

  report(phase: StreamPhase, streams: number, phaseSeconds: number): void {
    const { holdSeconds, warmUpSeconds, repeats, maxStreams } = this.parameters;
    const repeatSeconds = holdSeconds + lastFramesSeconds;
    const numberSeconds = connectSeconds + warmUpSeconds + repeats * repeatSeconds;
    const afterRepeatSeconds = this.repeatsAfter * repeatSeconds + this.numbersAfter * numberSeconds;
    const times: Record<StreamPhase, [expectedSeconds: number, thenSeconds: number]> = {
      connecting: [connectSeconds, warmUpSeconds + repeatSeconds],
      'warm-up': [phaseSeconds, repeatSeconds],
      baseline: [phaseSeconds, lastFramesSeconds],
      measuring: [phaseSeconds, lastFramesSeconds],
      draining: [lastFramesSeconds, 0],
    };
    const [expectedSeconds, thenSeconds] = times[phase];
    const laterSeconds = thenSeconds + afterRepeatSeconds;
    this.context.progress({
      ...{ phase, step: streams, steps: maxStreams, phaseSeconds, phaseElapsedSeconds: 0 },
      ...{ remainingSeconds: expectedSeconds + laterSeconds, laterSeconds, note: this.note },
    });
  }
}
