import type { StreamView } from '../protocol/console';

/** What rows count of a stream that others receive. */
const counted = ['framesSubmitted', 'framesSenderMissed', 'framesLateSource'] as const;
type Counts = Readonly<Record<(typeof counted)[number], number | null>>;

interface CountedSubject {
  readonly name: string;
  readonly figures: Counts;
}

/** As far as it is of interest here. */
export interface CountedRow {
  readonly subjects: readonly CountedSubject[];
}

const nothing: Counts = { framesSubmitted: null, framesSenderMissed: null, framesLateSource: null };

/** Streams that others receive, with what all rows of theirs have counted: a view counts from the first picture that is received. */
export class SentViews {
  /** Of closed rows, by the stream's name. */
  private readonly closed = new Map<string, Counts>();
  /** A row that is closing is neither open nor closed for a while: what was shown holds until it is. */
  private readonly shown = new Map<string, Counts>();

  row({ subjects }: CountedRow): void {
    for (const subject of subjects)
      this.closed.set(subject.name, withSubject(this.closed.get(subject.name) ?? nothing, subject));
  }

  /** @param open the open row so far; null: there is none */
  views(views: readonly StreamView[], open: CountedRow | null): StreamView[] {
    return views.map((view) => {
      const closed = this.closed.get(view.name) ?? nothing;
      const subject = open?.subjects.find(({ name }) => name === view.name);
      const counts = subject ? withSubject(closed, subject) : closed;
      const shown = atLeast(this.shown.get(view.name) ?? nothing, counts);
      this.shown.set(view.name, shown);
      return { ...view, ...shown };
    });
  }
}

/** A row that lacks a count adds none. */
function withSubject(before: Counts, { figures }: CountedSubject): Counts {
  const now = { ...before };
  for (const key of counted) {
    const own = figures[key];
    if (own !== null) now[key] = (before[key] ?? 0) + own;
  }
  return now;
}

function atLeast(before: Counts, now: Counts): Counts {
  const most = { ...now };
  for (const key of counted) {
    const [least, own] = [before[key], now[key]];
    most[key] = least === null || own === null ? (own ?? least) : Math.max(least, own);
  }
  return most;
}
