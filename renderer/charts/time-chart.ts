import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { figure, timeOfDay, timeZone } from '../format';
import type { BoardChart, ChartBoard } from './chart-board';
import { type ChartSpec, topOf } from './chart-specs';
import { drawMarks, shadeOutages } from './mark-lines';

const tickSteps = [-1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power));

/** On paper 7.5 pt; uPlot takes whole pixels alone. */
const leastFontPx = { screen: 12, print: 10 };

/** One chart of the board: the values under the cursor, or those of now, and whether there is anything to draw. */
export interface ChartFace {
  /** Null: there is no now, as in a run that is over. */
  showValues(values: (number | null)[] | null): void;
  showEmpty(isEmpty: boolean): void;
}

/** uPlot on a board's time axis, drawn from the rings in the colours of the theme. */
export class TimeChart implements BoardChart {
  private readonly plot: uPlot;
  private from = 0;
  private to = 1;
  private ticks: readonly number[] = [];
  /** Of all figures and labels, CSS px. */
  private readonly fontPx: number;

  constructor(
    private readonly container: HTMLElement,
    private readonly spec: ChartSpec,
    private readonly board: ChartBoard,
    private readonly face: ChartFace,
  ) {
    const rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const least = matchMedia('print').matches ? leastFontPx.print : leastFontPx.screen;
    this.fontPx = Math.max(least, Math.round(rootPx * 0.72));
    this.plot = new uPlot(this.options(), [[], ...spec.series.map(() => [])], container);
  }

  get mostTicks(): number {
    return (this.size().width - this.fontPx * 4.2) / (this.fontPx * 6.5);
  }

  draw(from: number, to: number, ticks: readonly number[]): void {
    this.from = from;
    this.to = to;
    this.ticks = ticks;
    const [times, ...columns] = this.board.history[this.spec.ring].window(from, to);
    const drawn = this.spec.series.map(({ column }) => columns[column] ?? []);
    this.face.showEmpty(drawn.every((values) => values.every((value) => value === null)));
    this.plot.setData([times, ...drawn]);
    this.showValues();
  }

  resize(): void {
    this.plot.setSize(this.size());
    this.board.drawAll();
  }

  destroy(): void {
    this.plot.destroy();
  }

  private showValues(): void {
    const { cursor, data } = this.plot;
    const { idx } = cursor;
    const { series } = this.spec;
    if (typeof idx === 'number') this.face.showValues(series.map((_, at) => data[at + 1]?.[idx] ?? null));
    else this.face.showValues(this.board.valuesNow(this.spec.ring, series));
  }

  private size(): { width: number; height: number } {
    return { width: this.container.clientWidth, height: this.container.clientHeight };
  }

  private options(): uPlot.Options {
    const style = getComputedStyle(this.container);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const { fontPx } = this;
    const { scale = 1 } = this.spec;
    // Read once: asking for a style while a page is drawn has all styles computed for it.
    const { fontFamily } = style;
    const markColours = {
      line: colour('--line-strong'),
      text: colour('--text-soft'),
      marker: colour('--text'),
      ground: colour('--panel'),
    };
    const axis = {
      stroke: colour('--text-soft'),
      font: `${fontPx}px ${fontFamily}`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    return {
      ...this.size(),
      legend: { show: false },
      padding: [fontPx * 0.7, fontPx * 0.7, 0, 0],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
      scales: {
        x: { time: true, range: () => [this.from, this.to] },
        y: { range: (_plot, _min, max) => [0, topOf(this.spec, max)] },
      },
      axes: [
        {
          ...axis,
          size: fontPx * 1.9,
          gap: 2,
          splits: () => [...this.ticks],
          values: (plot, times) => times.map((time) => this.clockText(plot, time, fontPx * 2.5)),
        },
        {
          ...axis,
          size: fontPx * 4.2,
          gap: 4,
          space: fontPx * 2.1,
          // Round in the unit that is shown.
          incrs: tickSteps.map((step) => step / scale),
          values: (_plot, values) =>
            values.map((value) => figure(value * scale, Number.isInteger(value * scale) ? 0 : 1)),
        },
      ],
      series: [
        {},
        ...this.spec.series.map(({ label, colour: name, dash }) => ({
          label,
          stroke: colour(name),
          width: 1.5,
          dash,
          points: { show: false },
        })),
      ],
      cursor: {
        y: false,
        sync: { key: 'board', scales: ['x', null] },
        drag: { x: true, y: false, setScale: false },
        points: { size: 6 },
        bind: {
          dblclick: () => () => {
            this.board.reset();
            return null;
          },
        },
      },
      hooks: {
        draw: [
          (plot) => {
            plot.ctx.font = `${Math.round(fontPx * devicePixelRatio)}px ${fontFamily}`;
            drawTimeZone(plot, axis.stroke);
            shadeOutages(plot, this.board.history.outages, markColours.text);
            drawMarks(plot, this.board.history.marks, markColours);
          },
        ],
        setCursor: [() => this.showValues()],
        setSelect: [(plot) => this.zoomToSelection(plot)],
      },
    };
  }

  /** Empty if half of the label would stand outside of the chart. */
  private clockText({ width }: uPlot, seconds: number, halfLabelPx: number): string {
    const halfLabel = ((this.to - this.from) * halfLabelPx) / width;
    const isAtEdge = this.to - seconds < halfLabel || seconds - this.from < halfLabel;
    return isAtEdge ? '' : timeOfDay(seconds * 1000);
  }

  private zoomToSelection(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    this.board.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + width, 'x'));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }
}

/** In the corner beside the times, clear of the lowest figure of the other axis. */
function drawTimeZone({ ctx: context, bbox: { top, height } }: uPlot, colour: string): void {
  context.save();
  context.fillStyle = colour;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  const gap = 4 * devicePixelRatio;
  context.fillText(timeZone, gap, top + height + gap / 2);
  context.restore();
}
