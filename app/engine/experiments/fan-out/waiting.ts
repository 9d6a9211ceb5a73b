import { WhitelineError } from '../../../protocol/errors';

/** What several processes say is waited for here, all of it together: what takes a message calls `look`. */
export class Waiting {
  private readonly looks = new Set<() => void>();
  private failure: unknown = null;

  constructor(private readonly signal: AbortSignal) {}

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
   * @returns false where it was not there in time
   * @throws what `fail` was given; WhitelineError ABORTED
   */
  until(isThere: () => boolean, limitMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        this.looks.delete(look);
        this.signal.removeEventListener('abort', look);
        settle();
      };
      const look = (): void => {
        if (this.failure !== null) end(() => reject(this.failure));
        else if (this.signal.aborted) end(() => reject(stopped()));
        else if (isThere()) end(() => resolve(true));
      };
      const timer = setTimeout(() => end(() => resolve(false)), limitMs);
      this.looks.add(look);
      this.signal.addEventListener('abort', look);
      look();
    });
  }
}

export function stopped(): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: 'The fan-out was stopped' });
}
