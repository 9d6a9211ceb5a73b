import type uPlot from 'uplot';
import type { StreamMark } from '../../app/protocol/console';
import { flagHeight, flagWidth, layOutMarks } from './mark-layout';

const groundAlpha = 0.75;

export interface MarkColours {
  line: string;
  text: string;
  marker: string;
  /** Laid thinly behind labels, so that they can be read on a drawn line, and the line seen: it has no gap there. */
  ground: string;
}

/**
 * Draws a dotted line with its label for each stream that was added or removed, and over them a whole line with a flag for
 * each marker of the operator. No line crosses the letters of a label.
 */
export function drawMarks(plot: uPlot, marks: readonly StreamMark[], colours: MarkColours): void {
  const { ctx: context, bbox } = plot;
  const { left, top, width, height } = bbox;
  const pixelRatio = devicePixelRatio;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.lineWidth = pixelRatio;
  context.textBaseline = 'top';
  context.textAlign = 'left';
  const labelHeight = Number.parseFloat(context.font);
  const { lines, labels } = layOutMarks(marks, bbox, {
    ...{ labelHeight, pixelRatio },
    xOf: (wallMs) => plot.valToPos(wallMs / 1000, 'x', true),
    widthOf: (text) => context.measureText(text).width,
  });
  for (const kind of ['stream', 'marker'] as const) {
    const isMarker = kind === 'marker';
    context.strokeStyle = isMarker ? colours.marker : colours.line;
    context.fillStyle = colours.marker;
    context.setLineDash(isMarker ? [] : [pixelRatio, 2 * pixelRatio]);
    for (const { x, spans } of lines.filter((line) => line.kind === kind)) {
      context.beginPath();
      for (const { from, to } of spans) {
        context.moveTo(x, from);
        context.lineTo(x, to);
      }
      context.stroke();
      const flagTop = top + pixelRatio + labelHeight * 1.1 + (labelHeight - flagHeight * pixelRatio) / 2;
      if (isMarker) drawFlag(context, x, flagTop, pixelRatio);
    }
  }
  for (const label of labels) {
    context.fillStyle = colours.ground;
    context.globalAlpha = groundAlpha;
    context.fillRect(label.left, label.top, label.width, label.height);
    context.globalAlpha = 1;
    context.fillStyle = label.kind === 'marker' ? colours.marker : colours.text;
    context.fillText(label.text, label.left, label.top);
  }
  context.restore();
}

function drawFlag(context: CanvasRenderingContext2D, x: number, top: number, pixelRatio: number): void {
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + flagWidth * pixelRatio, top + (flagHeight / 2) * pixelRatio);
  context.lineTo(x, top + flagHeight * pixelRatio);
  context.fill();
}
