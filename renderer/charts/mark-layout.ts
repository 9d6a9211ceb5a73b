import type { StreamMark } from '../../app/protocol/console';

/** Of the flag on a marker, CSS px. */
export const flagWidth = 7;
export const flagHeight = 6;
/** Between a line and its label, CSS px. */
const indents: Record<StreamMark['kind'], number> = { stream: 3, marker: flagWidth + 2 };

export interface PlotBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface MarkLine {
  kind: StreamMark['kind'];
  x: number;
  /** From top to bottom, where it crosses no letters. */
  spans: { from: number; to: number }[];
}

export interface MarkLabel extends PlotBox {
  kind: StreamMark['kind'];
  text: string;
}

interface Measures {
  /** Where a time lies, and how wide a text is, in pixels of the canvas. */
  xOf(wallMs: number): number;
  widthOf(text: string): number;
  labelHeight: number;
  pixelRatio: number;
}

/**
 * Where the lines of marks stand in a plot, and those of their labels that find room there. Markers have the lower line of
 * labels for themselves, so that no flag covers a stream's label.
 */
export function layOutMarks(
  marks: readonly StreamMark[],
  { left, top, width, height }: PlotBox,
  { xOf, widthOf, labelHeight, pixelRatio }: Measures,
): { lines: MarkLine[]; labels: MarkLabel[] } {
  const right = left + width;
  const placed = marks
    .map(({ kind, wallMs, label }) => ({ kind, text: label, x: Math.round(xOf(wallMs)) }))
    // The label of a line beyond the edge would begin beyond it too, and be cut.
    .filter(({ x }) => x >= left && x <= right);
  const labels = (['stream', 'marker'] as const).flatMap((kind) => {
    const ofKind = placed.filter((mark) => mark.kind === kind);
    const indent = indents[kind] * pixelRatio;
    const labelTop = top + pixelRatio + (kind === 'marker' ? labelHeight * 1.1 : 0);
    let labelEnd = left;
    return ofKind.flatMap(({ x, text }, index): MarkLabel[] => {
      const labelWidth = widthOf(text);
      // A mark that has just been made has its label before it rather than half of it.
      const labelLeft = Math.min(x + indent, right - labelWidth);
      // A label that reaches the next mark is left out: of several close together the last one has its name.
      const nextX = ofKind[index + 1]?.x ?? Number.POSITIVE_INFINITY;
      // One that was moved to the left keeps clear of the flag of the mark before.
      const clearFrom = Math.max(labelEnd, (ofKind[index - 1]?.x ?? left) + (index > 0 ? indent : 0));
      if (labelLeft < clearFrom || labelLeft + labelWidth > nextX) return [];
      labelEnd = labelLeft + labelWidth;
      return [{ kind, text, left: labelLeft, top: labelTop, width: labelWidth, height: labelHeight }];
    });
  });
  const lines = placed.map(({ kind, x }) => ({ kind, x, spans: spansBeside(labels, x, top, top + height) }));
  return { lines, labels };
}

function spansBeside(
  labels: readonly MarkLabel[],
  x: number,
  top: number,
  bottom: number,
): MarkLine['spans'] {
  const crossed = labels
    .filter(({ left, width }) => x > left && x < left + width)
    .sort((one, other) => one.top - other.top);
  const starts = [top, ...crossed.map((label) => label.top + label.height)];
  const ends = [...crossed.map((label) => label.top), bottom];
  return starts
    .map((from, index) => ({ from, to: ends[index] ?? bottom }))
    .filter(({ from, to }) => to > from);
}
