import { knownLostFramesOf } from '../facts/lost-frames';
import type { Row, Subject } from '../facts/row';
import { numberOf } from '../facts/row-figures';
import { isReplaced } from '../facts/row-labels';
import type { StreamView } from '../protocol/console';

interface Counts {
  lost: number;
  missed: number;
}

/** What was lost in rows that are measured again: no row that counts has it. A stream's own count goes on over all of them. */
export class DiscardedRows {
  /** By the stream. */
  private readonly counts = new Map<string, Counts>();

  add({ label, subjects }: Pick<Row, 'label' | 'subjects'>): void {
    if (isReplaced(label)) for (const subject of subjects) this.counts.set(subject.id, this.with(subject));
  }

  without(views: readonly StreamView[]): StreamView[] {
    return views.map((view) => {
      const { lost, missed } = this.of(String(view.id));
      return {
        ...view,
        lostTotal: less(view.lostTotal, lost),
        framesSenderMissed: less(view.framesSenderMissed, missed),
      };
    });
  }

  private with(subject: Subject): Counts {
    const { lost, missed } = this.of(subject.id);
    return {
      lost: lost + (knownLostFramesOf(subject) ?? 0),
      missed: missed + (numberOf(subject, 'framesSenderMissed') ?? 0),
    };
  }

  private of(id: string): Counts {
    return this.counts.get(id) ?? { lost: 0, missed: 0 };
  }
}

/** A stream that began again counts from there. */
function less(count: number | null, discarded: number): number | null {
  return count === null ? null : Math.max(0, count - discarded);
}
