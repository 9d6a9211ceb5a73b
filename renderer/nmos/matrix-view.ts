import {
  type Cell,
  cellAt,
  type MatrixShape,
  scrolledTo,
  shapeFor,
  sizeOf,
  type Viewport,
} from './matrix-layout';
import { type MatrixContent, type MatrixLooks, MatrixPainter } from './matrix-painter';

export type ShownContent = Omit<MatrixContent, 'cursor'>;

export interface MatrixPlace {
  /** As large as the part that is seen; below the scroller. */
  canvas: HTMLCanvasElement;
  scroller: HTMLElement;
  /** In the scroller, as large as all of the matrix. */
  space: HTMLElement;
  onCursor(cell: Cell | null): void;
}

/** Between two that the mouse is moved or scrolled over. */
const nameEveryMs = 100;

/** The matrix on its canvas: follows its scroller, at most one drawing per frame. */
export class MatrixView {
  private readonly painter: MatrixPainter;
  private readonly rootPx: number;
  shape: MatrixShape;
  private content: ShownContent;
  private cursor: Cell | null;
  /** Where the mouse is over the matrix. */
  private pointer: { xPx: number; yPx: number } | null = null;
  private frame = 0;
  private naming: ReturnType<typeof setTimeout> | undefined;
  private readonly end = new AbortController();

  constructor(
    private readonly place: MatrixPlace,
    content: ShownContent,
    cursor: Cell | null,
  ) {
    const context = place.canvas.getContext('2d', { alpha: false });
    if (!context) throw new Error('this window has no canvas');
    this.rootPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.painter = new MatrixPainter(context, looksOf(place.canvas, this.rootPx));
    this.content = content;
    this.shape = this.fittingShape();
    this.cursor = cursor;
    this.resize();
    this.show(content, cursor);
    const { signal } = this.end;
    const { scroller } = place;
    scroller.addEventListener('scroll', () => this.schedule(), { signal, passive: true });
    scroller.addEventListener('mousemove', (event) => this.point(event), { signal });
    scroller.addEventListener(
      'mouseleave',
      () => {
        this.pointer = null;
      },
      { signal },
    );
  }

  /** The cell under the cursor, which may not be named yet. */
  get at(): Cell | null {
    return this.cursor;
  }

  get rowsPerPage(): number {
    const { headHeightPx, cellPx } = this.shape;
    return Math.max(1, Math.floor((this.viewport().heightPx - headHeightPx) / cellPx) - 1);
  }

  show(content: ShownContent, cursor: Cell | null): void {
    this.content = content;
    this.cursor = cursor;
    this.fit();
    this.schedule();
  }

  reveal(cell: Cell): void {
    const { leftPx, topPx } = scrolledTo(this.shape, this.viewport(), cell);
    this.pointer = null;
    this.place.scroller.scrollTo(leftPx, topPx);
  }

  /** The cell at a point of the window. */
  cellOf({ clientX, clientY }: MouseEvent): Cell | null {
    const { left, top } = this.place.scroller.getBoundingClientRect();
    return cellAt(this.shape, this.viewport(), clientX - left, clientY - top);
  }

  resize(): void {
    const { canvas, scroller } = this.place;
    const { clientWidth, clientHeight } = scroller;
    canvas.width = Math.max(1, Math.round(clientWidth * devicePixelRatio));
    canvas.height = Math.max(1, Math.round(clientHeight * devicePixelRatio));
    canvas.style.width = `${clientWidth}px`;
    canvas.style.height = `${clientHeight}px`;
    this.fit();
    this.schedule();
  }

  close(): void {
    this.end.abort();
    clearTimeout(this.naming);
    cancelAnimationFrame(this.frame);
  }

  private fittingShape(): MatrixShape {
    const { receivers, senders } = this.content;
    const { offsetWidth: widthPx, offsetHeight: heightPx } = this.place.scroller;
    return shapeFor({
      ...{ rows: receivers.length, columns: senders.length, widthPx, heightPx, rootPx: this.rootPx },
      longestRowPx: this.painter.longest(receivers),
      longestColumnPx: this.painter.longest(senders),
    });
  }

  private fit(): void {
    this.shape = this.fittingShape();
    const { widthPx, heightPx } = sizeOf(this.shape);
    this.place.space.style.width = `${widthPx}px`;
    this.place.space.style.height = `${heightPx}px`;
  }

  private point(event: MouseEvent): void {
    const { left, top } = this.place.scroller.getBoundingClientRect();
    this.pointer = { xPx: event.clientX - left, yPx: event.clientY - top };
    this.followPointer();
  }

  /** Scrolling the matrix also changes what is below the mouse. */
  private followPointer(): void {
    if (!this.pointer) return;
    const cell = cellAt(this.shape, this.viewport(), this.pointer.xPx, this.pointer.yPx);
    if (!cell || (cell.row === this.cursor?.row && cell.column === this.cursor.column)) return;
    this.cursor = cell;
    // Names that change with each frame cannot be read.
    this.naming ??= setTimeout(() => {
      this.naming = undefined;
      this.place.onCursor(this.cursor);
    }, nameEveryMs);
    this.schedule();
  }

  private viewport(): Viewport {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.place.scroller;
    return {
      widthPx: clientWidth,
      heightPx: clientHeight,
      scrollLeftPx: Math.round(scrollLeft),
      scrollTopPx: Math.round(scrollTop),
    };
  }

  private schedule(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.followPointer();
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const context = this.place.canvas.getContext('2d');
    context?.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    this.painter.paint(this.shape, this.viewport(), { ...this.content, cursor: this.cursor });
  }
}

function looksOf(element: Element, rootPx: number): MatrixLooks {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  return {
    font: style.fontFamily,
    fontPx: Math.round(rootPx * 0.85),
    text: colour('--text'),
    soft: colour('--text-soft'),
    line: colour('--line'),
    strongLine: colour('--line-strong'),
    panel: colour('--panel'),
    raised: colour('--raised'),
    focus: colour('--focus'),
    fail: colour('--fail'),
  };
}
