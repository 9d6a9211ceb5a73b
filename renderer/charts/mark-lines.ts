import type uPlot from 'uplot';
import type { StreamMark } from '../../app/protocol/console';

const groundAlpha = 0.75;
/** Of the flag on a marker, CSS px. */
const flagWidth = 7;
const flagHeight = 6;

export interface MarkColours {
  line: string;
  text: string;
  marker: string;
  /** Laid thinly behind labels, so that they can be read on a line, and the line seen. */
  ground: string;
}

/**
 * Draws a dotted line with its label for each stream that was added or removed, and over them a whole line with a flag for
 * each marker of the operator. Markers have the lower line of labels for themselves, so that no flag covers a stream's.
 */
export function drawMarks(plot: uPlot, marks: readonly StreamMark[], colours: MarkColours): void {
  const { ctx: context } = plot;
  const { left, top, width, height } = plot.bbox;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.lineWidth = devicePixelRatio;
  context.textBaseline = 'top';
  context.textAlign = 'left';
  drawKind(plot, marks, 'stream', colours);
  drawKind(plot, marks, 'marker', colours);
  context.restore();
}

function drawKind(
  plot: uPlot,
  marks: readonly StreamMark[],
  drawn: StreamMark['kind'],
  colours: MarkColours,
): void {
  const { ctx: context } = plot;
  const { left, top, width, height } = plot.bbox;
  const pixelRatio = devicePixelRatio;
  const isMarker = drawn === 'marker';
  const labelColour = isMarker ? colours.marker : colours.text;
  context.strokeStyle = isMarker ? colours.marker : colours.line;
  context.fillStyle = labelColour;
  context.setLineDash(isMarker ? [] : [pixelRatio, 2 * pixelRatio]);
  const labelHeight = Number.parseFloat(context.font);
  const labelTop = top + pixelRatio + (isMarker ? labelHeight * 1.1 : 0);
  const labelIndent = (isMarker ? flagWidth + 2 : 3) * pixelRatio;
  const shown = marks
    .filter(({ kind }) => kind === drawn)
    .map(({ wallMs, label }) => ({ x: Math.round(plot.valToPos(wallMs / 1000, 'x', true)), label }))
    .filter(({ x }) => x >= left - width && x <= left + width);
  let labelEnd = Number.NEGATIVE_INFINITY;
  for (const [index, { x, label }] of shown.entries()) {
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    if (isMarker) drawFlag(context, x, labelTop + (labelHeight - flagHeight * pixelRatio) / 2, pixelRatio);
    const labelWidth = context.measureText(label).width;
    // A mark that has just been made has its label before it rather than half of it.
    const labelLeft = Math.min(x + labelIndent, left + width - labelWidth);
    // A label that reaches the next mark is left out: of several close together the last one tells its name.
    const nextX = shown[index + 1]?.x ?? Number.POSITIVE_INFINITY;
    if (labelLeft < labelEnd || labelLeft + labelWidth > nextX) continue;
    context.fillStyle = colours.ground;
    context.globalAlpha = groundAlpha;
    context.fillRect(labelLeft, labelTop, labelWidth, labelHeight);
    context.globalAlpha = 1;
    context.fillStyle = labelColour;
    context.fillText(label, labelLeft, labelTop);
    labelEnd = labelLeft + labelWidth;
  }
}

function drawFlag(context: CanvasRenderingContext2D, x: number, top: number, pixelRatio: number): void {
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + flagWidth * pixelRatio, top + (flagHeight / 2) * pixelRatio);
  context.lineTo(x, top + flagHeight * pixelRatio);
  context.fill();
}
