import type uPlot from 'uplot';
import type { StreamMark } from '../../app/protocol/console';

/** Labels closer than this to the one before are left out, CSS px. */
const labelGap = 6;
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
 * each marker of the operator. Markers have the lower line of labels for themselves.
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
  const labelTop = top + pixelRatio + (isMarker ? Number.parseFloat(context.font) * 1.1 : 0);
  let labelEnd = Number.NEGATIVE_INFINITY;
  for (const { kind, wallMs, label } of marks) {
    if (kind !== drawn) continue;
    const x = Math.round(plot.valToPos(wallMs / 1000, 'x', true));
    if (x < left - width || x > left + width) continue;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    if (isMarker) drawFlag(context, x, top, pixelRatio);
    const labelWidth = context.measureText(label).width;
    // A mark that has just been made has its label before it rather than half of it.
    const labelLeft = Math.min(x + 3 * pixelRatio, left + width - labelWidth);
    if (labelLeft < labelEnd) continue;
    context.fillStyle = colours.ground;
    context.globalAlpha = groundAlpha;
    context.fillRect(labelLeft, labelTop, labelWidth, Number.parseFloat(context.font));
    context.globalAlpha = 1;
    context.fillStyle = labelColour;
    context.fillText(label, labelLeft, labelTop);
    labelEnd = labelLeft + labelWidth + labelGap * pixelRatio;
  }
}

function drawFlag(context: CanvasRenderingContext2D, x: number, top: number, pixelRatio: number): void {
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + flagWidth * pixelRatio, top + (flagHeight / 2) * pixelRatio);
  context.lineTo(x, top + flagHeight * pixelRatio);
  context.fill();
}
