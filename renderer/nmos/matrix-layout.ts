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
