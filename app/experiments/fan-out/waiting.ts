import type { RunContext } from '../../engine/experiment/experiment';
import { WhitelineError } from '../../protocol/errors';

/** What several processes say is waited for here, all of it together: what takes a message calls `look`. */
export class Waiting {
  private readonly looks = new Set<() => void>();
  private failure: unknown = null;

  constructor(private readonly context: Pick<RunContext, 'clock' | 'signal'>) {}

  /** What is waited for may be there now. */
  look(): void {
    for (const look of [...this.looks]) look();
  }

  /** What waits now or later fails with it. */
  fail(error: unknown): void {
    this.failure ??= error;
    this.look();
  }

  /**
   * @returns false if it was not there in time
   * @throws what `fail` was given; WhitelineError ABORTED
   */
  until(isThere: () => boolean, limitMs: number): Promise<boolean> {
    const { clock, signal } = this.context;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        stopWaiting();
        this.looks.delete(look);
        signal.removeEventListener('abort', look);
        settle();
      };
      const look = (): void => {
        if (this.failure !== null) end(() => reject(this.failure));
        else if (signal.aborted) end(() => reject(stopped()));
        else if (isThere()) end(() => resolve(true));
      };
      const stopWaiting = clock.after(limitMs, () => end(() => resolve(false)));
      this.looks.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }
}

export function stopped(): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: 'The fan-out was stopped' });
}
