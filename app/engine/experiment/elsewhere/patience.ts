import type { Clock } from '../../../protocol/clock';

/** The whole may take this many times the longest silence: messages alone do not keep a run going. */
const wholeTimes = 4;
const reserveSeconds = 30;
/** For an experiment that does not know how long it takes. */
const unknownSeconds = 3600;
/** Longer than these no timer counts: 24 days. */
const longestSeconds = (2 ** 31 - 1) / 1000;

/** How long an experiment on another machine may say nothing, s. `silentSeconds`: beside what is expected, such as to write a file. */
export function longestSilenceSeconds(expectedSeconds: number | null, silentSeconds = 0): number {
  return 2 * (expectedSeconds ?? unknownSeconds) + reserveSeconds + silentSeconds;
}

/** Waits for an experiment on another machine, from its begin on, and gives it up where it falls silent or does not come to its end. */
export class Patience {
  private readonly stopWhole: () => void;
  private stopSilence: () => void = () => undefined;

  /** @param giveUp called with why, as it follows "the experiment" */
  constructor(
    private readonly clock: Pick<Clock, 'after'>,
    private readonly silenceSeconds: number,
    private readonly giveUp: (words: string) => void,
  ) {
    this.stopWhole = this.after(wholeTimes * silenceSeconds, (seconds) => `did not end within ${seconds} s`);
    this.hear();
  }

  /** It said something. */
  hear(): void {
    this.stopSilence();
    this.stopSilence = this.after(this.silenceSeconds, (seconds) => `said nothing for ${seconds} s`);
  }

  close(): void {
    this.stopWhole();
    this.stopSilence();
  }

  private after(wantedSeconds: number, wordsOf: (seconds: number) => string): () => void {
    const seconds = Math.min(wantedSeconds, longestSeconds);
    return this.clock.after(seconds * 1000, () => this.giveUp(wordsOf(Math.round(seconds))));
  }
}
