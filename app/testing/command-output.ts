import { expect } from 'vitest';

export interface Ended {
  exitCode: number | null;
  output: string;
  errors: string;
}

/** Against hanging: no test is judged by its time. */
export const hangsSeconds = 60;

/** What a command wrote so far, and its end. */
export abstract class CommandOutput {
  output = '';
  errors = '';
  abstract readonly ended: Promise<Ended>;
  private readonly looks = new Set<() => void>();

  constructor() {
    if (process.env.WHITELINE_OLD_DIST)
      throw new Error('dist is older than its sources, so the test would say nothing of them: npm run build');
  }

  /** Waits until the output says so. */
  says(pattern: RegExp, timeoutSeconds = hangsSeconds): Promise<void> {
    return this.writes('output', pattern, timeoutSeconds);
  }

  /** Waits until standard error says so: it may be read later than output that was written after it. */
  warns(pattern: RegExp, timeoutSeconds = hangsSeconds): Promise<void> {
    return this.writes('errors', pattern, timeoutSeconds);
  }

  protected wrote(place: 'output' | 'errors', text: string): void {
    this[place] += text;
    for (const look of this.looks) look();
  }

  /** Ends with the command: what waits beyond a test would let the simulated time of another one pass. */
  private writes(place: 'output' | 'errors', pattern: RegExp, timeoutSeconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.looks.delete(look);
      };
      const look = (): void => {
        if (!pattern.test(this[place])) return;
        // At once: what comes after it may be text that an anchored pattern does not match. Many tests assert this alone.
        expect(this[place]).toMatch(pattern);
        end();
        resolve();
      };
      const fail = (when: string): void => {
        end();
        reject(new Error(`${pattern} is not in the ${place} ${when}:\n${this.output}${this.errors}`));
      };
      const timer = setTimeout(() => fail(`after ${timeoutSeconds} s`), timeoutSeconds * 1000);
      this.looks.add(look);
      this.ended.then(() => fail('at its end'), reject);
      look();
    });
  }
}
