/** Of a figure that mostly rises: all of its rises, and all of its falls. The figure is their difference. */
export interface CorrectedCount {
  counted: number;
  corrected: number;
}

interface Known extends CorrectedCount {
  figure: number;
}

/**
 * Figures as counters that never fall. A live count may fall: a frame that is taken for dropped may come a second later. Prometheus takes a
 * counter that falls for one that began again, and adds all of it once more.
 */
export class CorrectedCounts {
  private counting: object | null = null;
  private known = new Map<string, Known>();
  private seen = new Map<string, Known>();

  /**
   * Begins a look at all figures; what is not noted until the next one is forgotten.
   * @param counting another one where the figures begin again
   */
  begin(counting: object): void {
    this.known = this.counting === counting ? this.seen : new Map();
    this.counting = counting;
    this.seen = new Map();
  }

  /** A figure that is not measured at this moment goes on from its last value later. */
  note(key: string, figure: number | null): CorrectedCount | null {
    const {
      counted,
      corrected,
      figure: before,
    } = this.known.get(key) ?? { counted: 0, corrected: 0, figure: 0 };
    const rise = (figure ?? before) - before;
    const now = {
      counted: counted + Math.max(0, rise),
      corrected: corrected + Math.max(0, -rise),
      figure: figure ?? before,
    };
    this.seen.set(key, now);
    return figure === null ? null : now;
  }
}
