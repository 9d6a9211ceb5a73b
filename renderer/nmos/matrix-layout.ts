/** Where what stands in the matrix: receivers are rows, senders columns. All lengths in CSS pixels. */

export interface MatrixShape {
  rows: number;
  columns: number;
  /** Side of a cell. */
  cellPx: number;
  /** Width of the labels of rows. */
  headWidthPx: number;
  /** Height of the labels of columns. */
  headHeightPx: number;
}

/** What the shape of a matrix follows from. */
export interface Room {
  rows: number;
  columns: number;
  widthPx: number;
  heightPx: number;
  /** Root font size. */
  rootPx: number;
  /** Of the longest labels, as they are drawn. */
  longestRowPx: number;
  longestColumnPx: number;
}

/** In root font sizes. */
const [leastCellRem, largestCellRem] = [1.5, 2.5];
const leastHeadWidthRem = 15;
const leastHeadHeightRem = 9;
/** Beside a label, with a mark after that of a row. */
const [besideRowRem, besideColumnRem] = [2.75, 1.25];
/** Of width and height, where labels need it. */
const [widestHead, highestHead] = [1 / 4, 1 / 3];

/** Heads as long as their labels, within limits, and cells that are larger where few are shown. */
export function shapeFor(room: Room): MatrixShape {
  const { rows, columns, widthPx, heightPx, rootPx, longestRowPx, longestColumnPx } = room;
  const head = (neededPx: number, leastRem: number, mostPx: number): number =>
    Math.round(Math.max(leastRem * rootPx, Math.min(neededPx, mostPx)));
  const headWidthPx = head(longestRowPx + besideRowRem * rootPx, leastHeadWidthRem, widthPx * widestHead);
  const headHeightPx = head(
    longestColumnPx + besideColumnRem * rootPx,
    leastHeadHeightRem,
    heightPx * highestHead,
  );
  const fittingPx = Math.min((widthPx - headWidthPx) / columns, (heightPx - headHeightPx) / rows);
  const cellPx = Math.max(leastCellRem * rootPx, Math.min(fittingPx, largestCellRem * rootPx));
  return { rows, columns, cellPx: Math.floor(cellPx), headWidthPx, headHeightPx };
}

/** The longest beginning and end, of one length, between which `isFitting` takes an ellipsis: what differs is mostly at an end. */
export function cutInMiddle(text: string, isFitting: (text: string) => boolean): string {
  if (isFitting(text)) return text;
  const letters = [...text];
  const cut = (kept: number): string => {
    const end = kept >> 1;
    return `${letters.slice(0, kept - end).join('')}…${letters.slice(letters.length - end).join('')}`;
  };
  let [from, to] = [0, letters.length];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (isFitting(cut(middle))) from = middle;
    else to = middle - 1;
  }
  return cut(from);
}

export interface Viewport {
  widthPx: number;
  heightPx: number;
  scrollLeftPx: number;
  scrollTopPx: number;
}

export interface Cell {
  row: number;
  column: number;
}

/** From the first one to before the last. */
export interface Range {
  from: number;
  to: number;
}

/** Of all that can be scrolled to. */
export function sizeOf({ rows, columns, cellPx, headWidthPx, headHeightPx }: MatrixShape): {
  widthPx: number;
  heightPx: number;
} {
  return { widthPx: headWidthPx + columns * cellPx, heightPx: headHeightPx + rows * cellPx };
}

/** Rows and columns of which at least a part is seen. */
export function visibleRanges(shape: MatrixShape, viewport: Viewport): { rows: Range; columns: Range } {
  const { rows, columns, cellPx, headWidthPx, headHeightPx } = shape;
  return {
    rows: visible(viewport.scrollTopPx, viewport.heightPx - headHeightPx, cellPx, rows),
    columns: visible(viewport.scrollLeftPx, viewport.widthPx - headWidthPx, cellPx, columns),
  };
}

function visible(scrolledPx: number, roomPx: number, cellPx: number, count: number): Range {
  const from = Math.max(0, Math.floor(scrolledPx / cellPx));
  const to = Math.min(count, Math.ceil((scrolledPx + Math.max(0, roomPx)) / cellPx));
  return { from: Math.min(from, to), to };
}

/** The cell at a point of the viewport; null: a label, or beside all cells. */
export function cellAt(shape: MatrixShape, viewport: Viewport, xPx: number, yPx: number): Cell | null {
  const { rows, columns, cellPx, headWidthPx, headHeightPx } = shape;
  if (xPx < headWidthPx || yPx < headHeightPx) return null;
  if (xPx >= viewport.widthPx || yPx >= viewport.heightPx) return null;
  const column = Math.floor((xPx - headWidthPx + viewport.scrollLeftPx) / cellPx);
  const row = Math.floor((yPx - headHeightPx + viewport.scrollTopPx) / cellPx);
  return row < rows && column < columns ? { row, column } : null;
}

/** Where it has to be scrolled to so that the whole of a cell is seen; not farther than that. */
export function scrolledTo(
  shape: MatrixShape,
  viewport: Viewport,
  { row, column }: Cell,
): { leftPx: number; topPx: number } {
  const { cellPx, headWidthPx, headHeightPx } = shape;
  return {
    leftPx: revealed(viewport.scrollLeftPx, viewport.widthPx - headWidthPx, column * cellPx, cellPx),
    topPx: revealed(viewport.scrollTopPx, viewport.heightPx - headHeightPx, row * cellPx, cellPx),
  };
}

function revealed(scrolledPx: number, roomPx: number, startPx: number, lengthPx: number): number {
  if (startPx < scrolledPx) return startPx;
  return Math.max(scrolledPx, startPx + lengthPx - roomPx);
}

/** Where a key moves the cursor; null: it moves nothing. */
export function moved(
  { rows, columns }: MatrixShape,
  { row, column }: Cell,
  key: string,
  rowsPerPage: number,
): Cell | null {
  const steps: Record<string, Cell> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - rowsPerPage, column },
    PageDown: { row: row + rowsPerPage, column },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
  };
  const next = steps[key];
  return next ? clamped(next, rows, columns) : null;
}

/** The nearest cell that there is. */
export function clamped({ row, column }: Cell, rows: number, columns: number): Cell {
  const within = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));
  return { row: within(row, rows), column: within(column, columns) };
}
