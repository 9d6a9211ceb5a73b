import type { NmosResource, Patch } from '../../app/protocol/nmos';
import { texts } from '../texts';
import {
  type Cell,
  cutInMiddle,
  type MatrixShape,
  type Range,
  type Viewport,
  visibleRanges,
} from './matrix-layout';
import { isConnectedElsewhere, nameOf } from './resource-book';

const { nmos } = texts;

/** What is drawn; lists in the order of rows and columns. */
export interface MatrixContent {
  receivers: readonly NmosResource[];
  senders: readonly NmosResource[];
  /** Of each sender that is shown. */
  columnOf: ReadonlyMap<string, number>;
  /** By receiver, the connection that was asked for last. */
  patches: ReadonlyMap<string, Patch>;
  cursor: Cell | null;
}

/** Colours and letters of the theme that is shown. */
export interface MatrixLooks {
  font: string;
  fontPx: number;
  text: string;
  soft: string;
  line: string;
  strongLine: string;
  panel: string;
  raised: string;
  focus: string;
  fail: string;
}

/** Every tenth line is stronger, so that an eye keeps its row. */
const strongEvery = 10;
/** For how many names the fitted text is kept. */
const mostFitted = 20_000;

/** Draws what of the matrix is seen: its cost follows from the viewport, however many receivers and senders there are. */
export class MatrixPainter {
  private readonly fitted = new Map<string, string>();
  private fittedFor = '';

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly looks: MatrixLooks,
  ) {}

  paint(shape: MatrixShape, viewport: Viewport, content: MatrixContent): void {
    const { context, looks } = this;
    const { rows, columns } = visibleRanges(shape, viewport);
    const fittedFor = `${shape.headWidthPx} ${shape.headHeightPx} ${shape.cellPx}`;
    if (fittedFor !== this.fittedFor || this.fitted.size > mostFitted) this.fitted.clear();
    this.fittedFor = fittedFor;
    context.fillStyle = looks.panel;
    context.fillRect(0, 0, viewport.widthPx, viewport.heightPx);
    context.font = `${looks.fontPx}px ${looks.font}`;
    context.textBaseline = 'middle';
    this.inside(shape.headWidthPx, shape.headHeightPx, viewport, () => {
      this.paintCursor(shape, viewport, content.cursor);
      this.paintLines(shape, viewport, rows, columns);
      for (let row = rows.from; row < rows.to; row += 1) this.paintRow(shape, viewport, content, row);
      this.paintCursorCell(shape, viewport, content.cursor);
    });
    this.inside(0, shape.headHeightPx, viewport, () => this.paintRowHeads(shape, viewport, content, rows));
    this.inside(shape.headWidthPx, 0, viewport, () =>
      this.paintColumnHeads(shape, viewport, content, columns),
    );
    context.fillStyle = looks.strongLine;
    context.fillRect(0, shape.headHeightPx - 1, viewport.widthPx, 1);
    context.fillRect(shape.headWidthPx - 1, 0, 1, viewport.heightPx);
  }

  private inside(leftPx: number, topPx: number, viewport: Viewport, draw: () => void): void {
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(leftPx, topPx, viewport.widthPx - leftPx, viewport.heightPx - topPx);
    context.clip();
    draw();
    context.restore();
  }

  private paintCursor(shape: MatrixShape, viewport: Viewport, cursor: Cell | null): void {
    if (!cursor) return;
    const { context } = this;
    const { cellPx, columns, rows } = shape;
    const [left, top] = [leftOf(shape, viewport, 0), topOf(shape, viewport, 0)];
    context.fillStyle = this.looks.raised;
    context.fillRect(left, topOf(shape, viewport, cursor.row), columns * cellPx, cellPx);
    context.fillRect(leftOf(shape, viewport, cursor.column), top, cellPx, rows * cellPx);
  }

  private paintCursorCell(shape: MatrixShape, viewport: Viewport, cursor: Cell | null): void {
    if (!cursor) return;
    const { context } = this;
    context.strokeStyle = this.looks.focus;
    context.lineWidth = 2;
    const [left, top] = [leftOf(shape, viewport, cursor.column), topOf(shape, viewport, cursor.row)];
    context.strokeRect(left, top, shape.cellPx - 1, shape.cellPx - 1);
  }

  private paintLines(shape: MatrixShape, viewport: Viewport, rows: Range, columns: Range): void {
    const { context, looks } = this;
    const right = Math.min(viewport.widthPx, leftOf(shape, viewport, columns.to));
    const bottom = Math.min(viewport.heightPx, topOf(shape, viewport, rows.to));
    const [left, top] = [shape.headWidthPx, shape.headHeightPx];
    context.lineWidth = 1;
    for (const isStrong of [false, true]) {
      context.beginPath();
      for (let column = columns.from + 1; column <= columns.to; column += 1) {
        if ((column % strongEvery === 0) !== isStrong) continue;
        const x = leftOf(shape, viewport, column) - 0.5;
        context.moveTo(x, top);
        context.lineTo(x, bottom);
      }
      for (let row = rows.from + 1; row <= rows.to; row += 1) {
        if ((row % strongEvery === 0) !== isStrong) continue;
        const y = topOf(shape, viewport, row) - 0.5;
        context.moveTo(left, y);
        context.lineTo(right, y);
      }
      context.strokeStyle = isStrong ? looks.strongLine : looks.line;
      context.stroke();
    }
  }

  /** A receiver has one sender at most: one mark, and that of what was asked for. */
  private paintRow(shape: MatrixShape, viewport: Viewport, content: MatrixContent, row: number): void {
    const receiver = content.receivers[row];
    if (!receiver) return;
    const connected = receiver.senderId === null ? undefined : content.columnOf.get(receiver.senderId);
    const { context, looks } = this;
    const edge = Math.round(shape.cellPx * 0.2);
    const side = shape.cellPx - 1 - 2 * edge;
    const top = topOf(shape, viewport, row) + edge;
    if (connected !== undefined) {
      const left = leftOf(shape, viewport, connected) + edge;
      context.fillStyle = looks.text;
      context.strokeStyle = looks.text;
      context.lineWidth = 1.5;
      const isOff = content.senders[connected]?.isActive === false;
      if (receiver.isActive && !isOff) context.fillRect(left, top, side, side);
      else context.strokeRect(left + 0.75, top + 0.75, side - 1.5, side - 1.5);
      const inner = Math.round(side / 3);
      if (receiver.isActive && isOff)
        context.fillRect(left + inner, top + inner, side - 2 * inner, side - 2 * inner);
    }
    const patch = content.patches.get(receiver.id);
    if (!patch || patch.state === 'done') return;
    if (patch.state === 'accepted' && receiver.senderId === patch.senderId) return;
    // To none: where it is connected now.
    const column = patch.senderId === null ? connected : content.columnOf.get(patch.senderId);
    if (column === undefined) return;
    const left = leftOf(shape, viewport, column) + edge;
    if (patch.state !== 'failed') this.paintPending(left, top, side);
    else this.paintFailed(left, top, side);
  }

  private paintPending(left: number, top: number, side: number): void {
    const { context } = this;
    context.strokeStyle = this.looks.focus;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(left + side / 2, top + side / 2, side / 2, 0, 2 * Math.PI);
    context.stroke();
  }

  private paintFailed(left: number, top: number, side: number): void {
    const { context } = this;
    context.strokeStyle = this.looks.fail;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(left, top);
    context.lineTo(left + side, top + side);
    context.moveTo(left + side, top);
    context.lineTo(left, top + side);
    context.stroke();
  }

  /** Beside the name: there is no column for it. */
  private paintElsewhere(x: number, y: number): void {
    const { context, looks } = this;
    const half = looks.fontPx * 0.4;
    context.fillStyle = looks.text;
    context.beginPath();
    context.moveTo(x, y - half);
    context.lineTo(x + half, y);
    context.lineTo(x, y + half);
    context.lineTo(x - half, y);
    context.fill();
  }

  private paintRowHeads(shape: MatrixShape, viewport: Viewport, content: MatrixContent, rows: Range): void {
    const { context, looks } = this;
    const roomPx = shape.headWidthPx - 3 * looks.fontPx;
    for (let row = rows.from; row < rows.to; row += 1) {
      const receiver = content.receivers[row];
      if (!receiver) continue;
      this.chooseHead(row === content.cursor?.row);
      const y = topOf(shape, viewport, row) + shape.cellPx / 2;
      context.fillText(this.fit(nameOf(receiver), roomPx, 'r'), looks.fontPx, y);
      if (isConnectedElsewhere(receiver)) this.paintElsewhere(shape.headWidthPx - looks.fontPx, y);
    }
  }

  /** From the bottom upwards, as a spine of a book is read. */
  private paintColumnHeads(
    shape: MatrixShape,
    viewport: Viewport,
    content: MatrixContent,
    columns: Range,
  ): void {
    const { context, looks } = this;
    const roomPx = shape.headHeightPx - looks.fontPx * 1.2;
    context.rotate(-Math.PI / 2);
    for (let column = columns.from; column < columns.to; column += 1) {
      const sender = content.senders[column];
      if (!sender) continue;
      this.chooseHead(column === content.cursor?.column);
      const x = leftOf(shape, viewport, column) + shape.cellPx / 2;
      context.fillText(this.fit(labelOf(sender), roomPx, 'c'), -shape.headHeightPx + looks.fontPx * 0.6, x);
    }
  }

  private chooseHead(isUnderCursor: boolean): void {
    this.context.fillStyle = isUnderCursor ? this.looks.text : this.looks.soft;
  }

  /** Width of the longest label as it is drawn; of many, of those with the most letters. */
  longest(resources: readonly NmosResource[]): number {
    const { context, looks } = this;
    context.font = `${looks.fontPx}px ${looks.font}`;
    let longest = '';
    for (const resource of resources) {
      const label = labelOf(resource);
      if (label.length > longest.length) longest = label;
    }
    return context.measureText(longest).width;
  }

  /** The text, or as much of its beginning and end as there is room for. Measuring is slow, so each is measured once. */
  private fit(text: string, roomPx: number, head: 'r' | 'c'): string {
    const key = head + text;
    const known = this.fitted.get(key);
    if (known !== undefined) return known;
    const fitting = cutInMiddle(text, (part) => this.context.measureText(part).width <= roomPx);
    this.fitted.set(key, fitting);
    return fitting;
  }
}

/** With that it is off, of a sender. */
function labelOf(resource: NmosResource): string {
  const isOff = resource.kind === 'sender' && !resource.isActive;
  return isOff ? `${nameOf(resource)} ${nmos.offMark}` : nameOf(resource);
}

function leftOf(shape: MatrixShape, viewport: Viewport, column: number): number {
  return shape.headWidthPx + column * shape.cellPx - viewport.scrollLeftPx;
}

function topOf(shape: MatrixShape, viewport: Viewport, row: number): number {
  return shape.headHeightPx + row * shape.cellPx - viewport.scrollTopPx;
}
