import type { TimelineBlock } from '../../app/protocol/timeline';
import { timeTicks } from '../charts/time-ticks';
import { figure, timeOfDay, timeZone } from '../format';
import { markOf } from './loss-marks';
import {
  type IntervalAxis,
  intervalAxis,
  intervalTicks,
  type Plot,
  type TimeRange,
  xOf,
  yOf,
} from './view-range';

export interface TimelineColours {
  text: string;
  soft: string;
  grid: string;
  dot: string;
}

/** All that a picture of a timeline is made of. */
export interface TimelinePicture {
  block: TimelineBlock;
  range: TimeRange;
  /** Of the loss that is chosen. */
  chosenKey: string | null;
  /** What the pointer drags over. */
  dragged: TimeRange | null;
  colours: TimelineColours;
  /** Height of a letter, CSS px. */
  fontPx: number;
  fontFamily: string;
}

/** Where the plot lies within a drawing of this size, CSS px. */
export function plotIn(width: number, height: number, fontPx: number): Plot {
  const left = fontPx * 4.5;
  const top = lossLane(fontPx) + 4;
  return {
    left,
    top,
    width: Math.max(1, width - left - fontPx),
    height: Math.max(1, height - top - fontPx * 2),
  };
}

/** Losses are drawn above the plot. */
function lossLane(fontPx: number): number {
  return fontPx * 1.4;
}

/** Draws a timeline, in CSS px; a minute at 60 Hz is 3,600 dots. */
export function paintTimeline(
  context: CanvasRenderingContext2D,
  { width, height }: { width: number; height: number },
  picture: TimelinePicture,
): void {
  const { block, range, dragged, colours, fontPx, fontFamily } = picture;
  const plot = plotIn(width, height, fontPx);
  context.clearRect(0, 0, width, height);
  context.font = `${fontPx}px ${fontFamily}`;
  const axis = intervalAxis(block.periodMs, longestIn(block, range));
  paintAxes(context, plot, axis, picture);
  context.save();
  context.beginPath();
  context.rect(plot.left, 0, plot.width, height);
  context.clip();
  context.fillStyle = colours.dot;
  if (block.isWhole) paintDots(context, plot, axis, picture);
  else paintSpans(context, plot, axis, picture);
  paintLosses(context, plot, picture);
  if (dragged) {
    context.fillStyle = colours.soft;
    context.globalAlpha = 0.25;
    const from = xOf(dragged.fromMs, range, plot);
    context.fillRect(from, plot.top, xOf(dragged.toMs, range, plot) - from, plot.height);
    context.globalAlpha = 1;
  }
  context.restore();
}

function longestIn({ atMs, longestMs }: TimelineBlock, { fromMs, toMs }: TimeRange): number {
  let longest = 0;
  for (let index = 0; index < atMs.length; index++) {
    const at = atMs[index] ?? 0;
    if (at >= fromMs && at <= toMs) longest = Math.max(longest, longestMs[index] ?? 0);
  }
  return longest;
}

function paintAxes(
  context: CanvasRenderingContext2D,
  plot: Plot,
  axis: IntervalAxis,
  { range, colours, fontPx, block }: TimelinePicture,
): void {
  context.fillStyle = colours.soft;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  let freeBelow = Number.POSITIVE_INFINITY;
  for (const tick of intervalTicks(axis)) {
    const y = yOf(tick, axis, plot);
    line(context, colours.grid, plot.left, y, plot.left + plot.width, y);
    // As many figures as find room, from the shortest interval up.
    if (y > freeBelow - fontPx * 1.2) continue;
    freeBelow = y;
    context.fillText(figure(tick, tick < 1 ? 1 : 0), plot.left - 6, y);
  }
  const periodY = yOf(block.periodMs, axis, plot);
  context.setLineDash([4, 4]);
  line(context, colours.soft, plot.left, periodY, plot.left + plot.width, periodY);
  context.setLineDash([]);
  const labelWidth = context.measureText('00:00:00.000').width;
  const isFine = range.toMs - range.fromMs < 5000;
  context.textAlign = 'center';
  context.textBaseline = 'bottom';
  const bottom = plot.top + plot.height + fontPx * 1.8;
  for (const tick of timeTicks(range, plot.width / (labelWidth * 1.5))) {
    const x = xOf(tick, range, plot);
    line(context, colours.grid, x, plot.top, x, plot.top + plot.height);
    const isInside = x - labelWidth / 2 >= plot.left && x + labelWidth / 2 <= plot.left + plot.width;
    if (isInside) context.fillText(isFine ? fineTime(tick) : timeOfDay(tick), x, bottom);
  }
  context.textAlign = 'left';
  context.fillText(timeZone, 0, bottom);
}

function fineTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 23);
}

function line(
  context: CanvasRenderingContext2D,
  colour: string,
  ...[fromX, fromY, toX, toY]: [number, number, number, number]
): void {
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}

const dotPx = 2;

function paintDots(
  context: CanvasRenderingContext2D,
  plot: Plot,
  axis: IntervalAxis,
  { block: { atMs, longestMs }, range }: TimelinePicture,
): void {
  for (let index = 0; index < atMs.length; index++) {
    const x = xOf(atMs[index] ?? 0, range, plot);
    if (x < plot.left - dotPx || x > plot.left + plot.width + dotPx) continue;
    const y = yOf(longestMs[index] ?? 0, axis, plot);
    context.fillRect(x - dotPx / 2, y - dotPx / 2, dotPx, dotPx);
  }
}

function paintSpans(
  context: CanvasRenderingContext2D,
  plot: Plot,
  axis: IntervalAxis,
  { block: { atMs, shortestMs, longestMs }, range }: TimelinePicture,
): void {
  for (let index = 0; index < atMs.length; index++) {
    const x = xOf(atMs[index] ?? 0, range, plot);
    const high = yOf(longestMs[index] ?? 0, axis, plot);
    const low = yOf(shortestMs[index] ?? 0, axis, plot);
    context.fillRect(x - dotPx / 2, high - dotPx / 2, dotPx, low - high + dotPx);
  }
}

const leastMarkPx = 4;

/** Each kind has a shape of its own: full, hollow, half as high, a bar. */
function paintLosses(
  context: CanvasRenderingContext2D,
  plot: Plot,
  { block, range, chosenKey, colours, fontPx }: TimelinePicture,
): void {
  const lane = lossLane(fontPx);
  for (let index = 0; index < block.lossFromMs.length; index++) {
    const from = xOf(block.lossFromMs[index] ?? 0, range, plot);
    const width = Math.max(leastMarkPx, xOf(block.lossToMs[index] ?? 0, range, plot) - from);
    const isChosen = block.lossKeys[index] === chosenKey;
    context.fillStyle = colours.text;
    context.strokeStyle = colours.text;
    const mark = markOf(block, index);
    if (mark === 'not-sent') context.strokeRect(from + 0.5, 1.5, width - 1, lane - 3);
    else if (mark === 'spoilt') context.fillRect(from, lane / 2, width, lane / 2);
    else if (mark === 'outage') context.fillRect(from, lane / 3, width, lane / 3);
    else context.fillRect(from, 0, width, lane);
    context.globalAlpha = isChosen ? 0.35 : 0.12;
    context.fillRect(from, plot.top, width, plot.height);
    context.globalAlpha = 1;
    if (isChosen) context.strokeRect(from - 2.5, plot.top, width + 5, plot.height);
  }
}
