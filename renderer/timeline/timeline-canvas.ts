import { lossAtX } from './loss-marks';
import { paintTimeline, plotIn, type TimelinePicture } from './paint-timeline';
import { type TimeRange, timeAt } from './view-range';

export interface CanvasActions {
  zoom(range: TimeRange): void;
  /** A loss of the list, by its index. */
  choose(index: number): void;
}

type Shown = Pick<TimelinePicture, 'block' | 'range' | 'chosenKey'>;

type Look = Pick<TimelinePicture, 'colours' | 'fontPx' | 'fontFamily'>;

/** Asking for a style has all styles computed: not for each picture. */
function lookOf(canvas: HTMLCanvasElement): Look {
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    colours: {
      text: colour('--text'),
      soft: colour('--text-soft'),
      grid: colour('--line'),
      dot: colour('--series-first'),
    },
    fontPx: Number.parseFloat(style.fontSize),
    fontFamily: style.fontFamily,
  };
}

/** Less is a click. */
const leastDragPx = 4;

/** The drawing of a timeline and the pointer on it. Outside React. */
export class TimelineCanvas {
  private look: Look;
  private readonly sizes: ResizeObserver;
  private readonly listening = new AbortController();
  private shown: Shown | null = null;
  private draggedFromX: number | null = null;
  private dragged: TimeRange | null = null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly actions: CanvasActions,
  ) {
    this.look = lookOf(canvas);
    this.sizes = new ResizeObserver(() => {
      // Letters grow with the window.
      this.look = lookOf(canvas);
      this.paint();
    });
    this.sizes.observe(canvas);
    const { signal } = this.listening;
    canvas.addEventListener('pointerdown', (event) => this.begin(event), { signal });
    canvas.addEventListener('pointermove', (event) => this.drag(event), { signal });
    canvas.addEventListener('pointerup', (event) => this.end(event), { signal });
    canvas.addEventListener('pointercancel', () => this.forgetDrag(), { signal });
  }

  show(shown: Shown): void {
    this.shown = shown;
    this.paint();
  }

  close(): void {
    this.sizes.disconnect();
    this.listening.abort();
  }

  private paint(): void {
    const { canvas, shown } = this;
    const context = canvas.getContext('2d');
    if (!context || !shown) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (canvas.width !== wide) canvas.width = wide;
    if (canvas.height !== high) canvas.height = high;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    paintTimeline(context, { width, height }, { ...shown, ...this.look, dragged: this.dragged });
  }

  private get plot() {
    return plotIn(this.canvas.clientWidth, this.canvas.clientHeight, this.look.fontPx);
  }

  private begin({ offsetX, pointerId, button }: PointerEvent): void {
    if (button !== 0) return;
    this.canvas.setPointerCapture(pointerId);
    this.draggedFromX = offsetX;
  }

  private drag({ offsetX }: PointerEvent): void {
    const { draggedFromX, shown } = this;
    if (draggedFromX === null || !shown) return;
    const isDrag = this.dragged !== null || Math.abs(offsetX - draggedFromX) >= leastDragPx;
    if (!isDrag) return;
    const ends = [draggedFromX, offsetX].map((x) => timeAt(x, shown.range, this.plot));
    this.dragged = { fromMs: Math.min(...ends), toMs: Math.max(...ends) };
    this.paint();
  }

  private end({ offsetX }: PointerEvent): void {
    const { dragged, shown, draggedFromX } = this;
    this.forgetDrag();
    if (draggedFromX === null || !shown) return;
    if (dragged) {
      this.actions.zoom(dragged);
      return;
    }
    const index = lossAtX(shown.block, offsetX, shown.range, this.plot);
    if (index !== null) this.actions.choose(index);
  }

  private forgetDrag(): void {
    this.draggedFromX = null;
    this.dragged = null;
    this.paint();
  }
}
