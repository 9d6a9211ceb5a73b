import type { Clock } from '../protocol/clock';

const minuteMs = 60_000;
/** Causes that are told apart at a time; all further ones count as one. */
const mostCauses = 20;

interface Cause {
  /** Since its last note was said. */
  more: number;
  newest: string;
  stop(): void;
}

/** Notes that strangers can cause: of each cause the first one at once, then each minute how many more there were, with the newest. */
export class BoundedNotes {
  private readonly causes = new Map<string, Cause>();

  constructor(
    private readonly clock: Pick<Clock, 'after'>,
    private readonly say: (text: string) => void,
  ) {}

  /** @param name of the cause: notes of one cause are counted together */
  note(name: string, text: string): void {
    const cause = this.causes.has(name) || this.causes.size < mostCauses ? name : '';
    const known = this.causes.get(cause);
    if (known) {
      known.more += 1;
      known.newest = text;
      return;
    }
    this.causes.set(cause, { more: 0, newest: text, stop: this.inAMinute(cause) });
    this.say(text);
  }

  /** Says what is left to say. */
  close(): void {
    for (const cause of this.causes.values()) {
      cause.stop();
      this.sayMore(cause);
    }
    this.causes.clear();
  }

  private inAMinute(name: string): () => void {
    return this.clock.after(minuteMs, () => {
      const cause = this.causes.get(name);
      if (!cause) return;
      if (cause.more === 0) this.causes.delete(name);
      else {
        this.sayMore(cause);
        cause.stop = this.inAMinute(name);
      }
    });
  }

  private sayMore(cause: Cause): void {
    const { more, newest } = cause;
    cause.more = 0;
    if (more === 1) this.say(newest);
    else if (more > 1) this.say(`${newest} (one of ${more} such lines in the last minute)`);
  }
}
