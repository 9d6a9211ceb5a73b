/** Rows of a picture, ends included. */
export interface RowSpan {
  first: number;
  last: number;
}

/** Slots that are remembered; older ones are forgotten. */
const mostSlots = 4096;

/** In which rows of their pictures spoilt frames were not as they were sent. */
export class SpoiltRows {
  private readonly bySlot = new Map<number, RowSpan>();

  /** Rows that are both 0 say nothing. */
  note(slot: number, first: number, last: number): void {
    if (last === 0) return;
    this.bySlot.set(slot, { first, last });
    if (this.bySlot.size <= mostSlots) return;
    for (const oldest of this.bySlot.keys()) {
      this.bySlot.delete(oldest);
      return;
    }
  }

  /** All rows of the slots from `first` to `last`; null: none is known. */
  within(first: number, last: number): RowSpan | null {
    let rows: RowSpan | null = null;
    for (const [slot, span] of this.bySlot) {
      if (slot < first || slot > last) continue;
      rows = rows
        ? { first: Math.min(rows.first, span.first), last: Math.max(rows.last, span.last) }
        : { ...span };
    }
    return rows;
  }
}
