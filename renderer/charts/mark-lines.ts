import type uPlot from 'uplot';
import type { StreamMark } from '../../app/protocol/console';

/** Labels closer than this to the one before are left out, CSS px. */
const labelGap = 6;

/** Draws a vertical line with its label for each stream that was added or removed. */
export function drawMarks(
  plot: uPlot,
  marks: readonly StreamMark[],
  lineColour: string,
  textColour: string,
): void {
  const { ctx: context } = plot;
  const { left, top, width, height } = plot.bbox;
  const pixelRatio = devicePixelRatio;
  let labelEnd = Number.NEGATIVE_INFINITY;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = lineColour;
  context.fillStyle = textColour;
  context.lineWidth = pixelRatio;
  context.setLineDash([pixelRatio, 2 * pixelRatio]);
  context.textBaseline = 'top';
  context.textAlign = 'left';
  for (const { wallMs, label } of marks) {
    const x = Math.round(plot.valToPos(wallMs / 1000, 'x', true));
    if (x < left - width || x > left + width) continue;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    if (x < labelEnd) continue;
    context.fillText(label, x + 3 * pixelRatio, top + pixelRatio);
    labelEnd = x + context.measureText(label).width + labelGap * pixelRatio;
  }
  context.restore();
}
