import type uPlot from 'uplot';
import type { StreamMark } from '../../app/protocol/console';
import type { OutageSpan } from '../engine/load-history';
import { type Extent, flagHeight, flagWidth, layOutMarks } from './mark-layout';

const groundAlpha = 0.75;
const outageAlpha = 0.15;

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
    drawnIn: (from, to) => drawnIn(plot, from, to),
  });
  for (const kind of ['stream', 'marker'] as const) {
    const isMarker = kind === 'marker';
    context.strokeStyle = isMarker ? colours.marker : colours.line;
    context.fillStyle = colours.marker;
    context.setLineDash(isMarker ? [] : [pixelRatio, 2 * pixelRatio]);
    for (const { x, spans, flagTop } of lines.filter((line) => line.kind === kind)) {
      context.beginPath();
      for (const { from, to } of spans) {
        context.moveTo(x, from);
        context.lineTo(x, to);
      }
      context.stroke();
      const middle = (labelHeight - flagHeight * pixelRatio) / 2;
      if (isMarker) drawFlag(context, x, flagTop + middle, pixelRatio);
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

/** A span for each outage, drawn under the marks: nothing was counted there. */
export function shadeOutages(plot: uPlot, outages: readonly OutageSpan[], colour: string): void {
  const { ctx: context, bbox } = plot;
  const { left, top, width, height } = bbox;
  context.save();
  context.globalAlpha = outageAlpha;
  context.fillStyle = colour;
  for (const { fromMs, toMs } of outages) {
    const [from, to] = [fromMs, toMs].map((ms) => plot.valToPos(ms / 1000, 'x', true));
    const [start, end] = [Math.max(left, from ?? left), Math.min(left + width, to ?? left)];
    if (end > start) context.fillRect(start, top, end - start, height);
  }
  context.restore();
}

/** The heights that each line of the chart takes between two places, the points beside them included. */
function drawnIn(plot: uPlot, left: number, right: number): Extent[] {
  const indexOf = (x: number): number => plot.valToIdx(plot.posToVal(x, 'x', true));
  const [times = [], ...series] = plot.data;
  const [first, last] = [Math.max(0, indexOf(left) - 1), Math.min(times.length, indexOf(right) + 2)];
  return series.flatMap((values) => {
    const known = Array.from(values)
      .slice(first, last)
      .flatMap((value) => value ?? []);
    if (known.length === 0) return [];
    const yOf = (value: number): number => plot.valToPos(value, 'y', true);
    const half = devicePixelRatio;
    return { from: yOf(Math.max(...known)) - half, to: yOf(Math.min(...known)) + half };
  });
}

function drawFlag(context: CanvasRenderingContext2D, x: number, top: number, pixelRatio: number): void {
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x + flagWidth * pixelRatio, top + (flagHeight / 2) * pixelRatio);
  context.lineTo(x, top + flagHeight * pixelRatio);
  context.fill();
}
