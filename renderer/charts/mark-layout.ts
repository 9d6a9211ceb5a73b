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

/** From top to bottom. */
export interface Extent {
  from: number;
  to: number;
}

export interface MarkLine {
  kind: StreamMark['kind'];
  x: number;
  /** Where the flag of a marker begins. */
  flagTop: number;
  /** From top to bottom, where it crosses no letters. */
  spans: Extent[];
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
  /** What the chart's own lines take between two places. */
  drawnIn(left: number, right: number): readonly Extent[];
}

/**
 * Where the lines of marks stand in a plot, and those of their labels that find room there. A label stands where the chart draws
 * nothing and no other label is; where there is no such place, on the first line of labels, those of markers on the second.
 */
export function layOutMarks(
  marks: readonly StreamMark[],
  { left, top, width, height }: PlotBox,
  { xOf, widthOf, labelHeight, pixelRatio, drawnIn }: Measures,
): { lines: MarkLine[]; labels: MarkLabel[] } {
  const right = left + width;
  const placed = marks
    .map(({ kind, wallMs, label }) => ({ kind, text: label, x: Math.round(xOf(wallMs)) }))
    // The label of a line beyond the edge would begin beyond it too, and be cut.
    .filter(({ x }) => x >= left && x <= right);
  const lineHeight = labelHeight * 1.1;
  const lineCount = Math.max(2, Math.floor((height - pixelRatio) / lineHeight));
  const tops = Array.from({ length: lineCount }, (_, line) => top + pixelRatio + line * lineHeight);
  const usualTops = { stream: tops[0] ?? top, marker: tops[1] ?? top };
  const labels: MarkLabel[] = [];
  for (const kind of ['stream', 'marker'] as const) {
    const ofKind = placed.filter((mark) => mark.kind === kind);
    const indent = indents[kind] * pixelRatio;
    const usual = usualTops[kind];
    let labelEnd = left;
    ofKind.forEach(({ x, text }, index) => {
      const labelWidth = widthOf(text);
      // A mark that has just been made has its label before it rather than half of it.
      const labelLeft = Math.min(x + indent, right - labelWidth);
      // A label that reaches the next mark is left out: of several close together the last one has its name.
      const nextX = ofKind[index + 1]?.x ?? Number.POSITIVE_INFINITY;
      // One that was moved to the left keeps clear of the flag of the mark before.
      const clearFrom = Math.max(labelEnd, (ofKind[index - 1]?.x ?? left) + (index > 0 ? indent : 0));
      if (labelLeft < clearFrom || labelLeft + labelWidth > nextX) return;
      labelEnd = labelLeft + labelWidth;
      // Those of streams keep out of the second line, as far as there is another: a marker may come to stand there.
      const own = [
        usual,
        ...tops.filter((one) => one !== usual && (kind === 'marker' || one !== usualTops.marker)),
      ];
      const box = { left: Math.min(x, labelLeft), right: labelEnd };
      const taken = [...drawnIn(box.left, box.right), ...labels.flatMap((other) => extentWithin(other, box))];
      const isFree = (from: number): boolean =>
        taken.every((one) => one.to <= from || one.from >= from + labelHeight);
      const labelTop = own.find(isFree) ?? usual;
      labels.push({ kind, text, left: labelLeft, top: labelTop, width: labelWidth, height: labelHeight });
    });
  }
  return {
    lines: placed.map(({ kind, x }) => ({
      ...{ kind, x, spans: spansBeside(labels, x, top, top + height) },
      flagTop:
        labels.find((label) => isLabelOf(label, kind, x, indents.marker * pixelRatio))?.top ??
        usualTops.marker,
    })),
    labels,
  };
}

function extentWithin(label: MarkLabel, { left, right }: { left: number; right: number }): Extent[] {
  const isBeside = label.left >= right || label.left + label.width <= left;
  return isBeside ? [] : [{ from: label.top, to: label.top + label.height }];
}

/** It begins behind the flag, or was moved before it. */
function isLabelOf(label: MarkLabel, kind: StreamMark['kind'], x: number, indent: number): boolean {
  return label.kind === kind && label.left <= x + indent && label.left + label.width >= x;
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
