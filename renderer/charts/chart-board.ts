import type { LoadHistory } from '../engine/load-history';
import { timeTicks } from './time-ticks';

/** What a board moves: a chart draws the range it is given and reports what the operator does to it. */
export interface BoardChart {
  /** Labels of time that find room along it. */
  readonly mostTicks: number;
  /** @param ticks moments with a label, s since 1970, the same in all charts */
  draw(from: number, to: number, ticks: readonly number[]): void;
}

/** The span that live charts show, s: what there is, within these. */
const shortestSpanSeconds = 30;
const longestSpanSeconds = 180;

/** One time axis over several charts: live, frozen, or zoomed into. Outside React. */
export class ChartBoard {
  private readonly charts = new Set<BoardChart>();
  private readonly listeners = new Set<() => void>();
  private held: { from: number; to: number } | null = null;

  constructor(
    readonly history: LoadHistory,
    /** A finished run is shown whole. */
    readonly showsWhole = false,
  ) {
    history.subscribe(() => {
      if (!this.held) this.drawAll();
    });
  }

  /** True while the charts stand still. */
  get isHeld(): boolean {
    return this.held !== null;
  }

  attach(chart: BoardChart): () => void {
    this.charts.add(chart);
    this.drawAll();
    return () => this.charts.delete(chart);
  }

  toggleFreeze(): void {
    this.hold(this.held ? null : this.range());
  }

  zoom(from: number, to: number): void {
    this.hold({ from, to });
  }

  reset(): void {
    this.hold(null);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  range(): { from: number; to: number } {
    if (this.held) return this.held;
    const { load, loss } = this.history;
    // Before the first sample the axis is that of now.
    const to = Math.max(load.lastTime ?? 0, loss.lastTime ?? 0) || Date.now() / 1000;
    const first = Math.min(load.firstTime ?? to, loss.firstTime ?? to);
    if (this.showsWhole) return { from: first, to };
    const span = Math.min(Math.max(to - first, shortestSpanSeconds), longestSpanSeconds);
    return { from: to - span, to };
  }

  /** The newest figures of some series: none once nothing comes any more, and null of a run that is over. */
  valuesNow(ring: 'load' | 'loss', series: readonly { column: number }[]): (number | null)[] | null {
    if (this.showsWhole) return null;
    const { history } = this;
    return series.map(({ column }) => (history.isSilent ? null : history[ring].last(column)));
  }

  private hold(range: { from: number; to: number } | null): void {
    this.held = range;
    this.drawAll();
    for (const listener of this.listeners) listener();
  }

  /** Also where a chart has another size: the narrowest one says how many labels there are. */
  drawAll(): void {
    const { from, to } = this.range();
    const most = Math.min(...[...this.charts].map(({ mostTicks }) => mostTicks));
    const ticks = timeTicks({ fromMs: from * 1000, toMs: to * 1000 }, most, 1000).map((ms) => ms / 1000);
    for (const chart of this.charts) chart.draw(from, to, ticks);
  }
}
