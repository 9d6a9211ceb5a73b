import { useEffect, useRef } from 'react';
import { lossLines } from '../engine/connection';
import { type LossLine as Line, lineSeconds, unknown } from '../engine/loss-lines';
import { texts } from '../texts';
import styles from './loss-line.module.css';

const { streams } = texts;

/** The least width of a bar in canvas pixels, so that one lost frame is visible. */
const leastBarPixels = 4;
const basePixels = 1;

/** The height of a second's bar: by the root, so that one frame shows beside an outage. */
export function barPixels(frames: number, framesPerSecond: number, heightPixels: number): number {
  if (frames <= 0) return 0;
  const share = Math.sqrt(Math.min(1, frames / Math.max(1, framesPerSecond)));
  return Math.max(leastBarPixels, Math.round(share * heightPixels));
}

interface Props {
  streamId: number;
  framesPerSecond: number;
}

/** What the stream lost in each of the last 60 seconds, drawn when another second or loss comes, and never by React. */
export function LossLine({ streamId, framesPerSecond }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const shown = canvas.current;
    if (!shown) return;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    let drawn = '';
    // Sizes and colours are kept: after a canvas has got its size, to ask for either lays out the page.
    let [widthPx, heightPx] = [0, 0];
    let isDark = dark.matches;
    let colours = coloursOf(shown);
    const draw = (): void => {
      // The run may have made another line of it.
      const line = lossLines.of(streamId);
      const state = `${line.revision} ${widthPx} ${heightPx} ${dark.matches}`;
      if (state === drawn || widthPx === 0) return;
      drawn = state;
      if (isDark !== dark.matches) {
        isDark = dark.matches;
        colours = coloursOf(shown);
      }
      paint(shown, line, framesPerSecond, colours);
    };
    const sizes = new ResizeObserver(([change]) => {
      if (!change) return;
      widthPx = Math.round(change.contentRect.width * devicePixelRatio);
      heightPx = Math.round(change.contentRect.height * devicePixelRatio);
      if (shown.width !== widthPx) shown.width = widthPx;
      if (shown.height !== heightPx) shown.height = heightPx;
      draw();
    });
    sizes.observe(shown);
    const stop = lossLines.listen(draw);
    return () => {
      stop();
      sizes.disconnect();
    };
  }, [streamId, framesPerSecond]);
  return (
    <canvas
      ref={canvas}
      className={styles.line}
      role="img"
      aria-label={streams.lossLineUnknown}
      data-testid="loss-line"
    />
  );
}

interface Colours {
  bar: string;
  base: string;
}

function coloursOf(canvas: HTMLCanvasElement): Colours {
  const { color, borderBottomColor } = getComputedStyle(canvas);
  return { bar: color, base: borderBottomColor };
}

function paint(canvas: HTMLCanvasElement, line: Line, framesPerSecond: number, colours: Colours): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  for (let second = 0; second < lineSeconds; second++) {
    const frames = line.at(second);
    if (frames === unknown) continue;
    const left = Math.round((second * width) / lineSeconds);
    const right = Math.round(((second + 1) * width) / lineSeconds);
    context.fillStyle = colours.base;
    context.fillRect(
      left,
      height - basePixels * devicePixelRatio,
      right - left,
      basePixels * devicePixelRatio,
    );
    const bar = barPixels(frames, framesPerSecond, height);
    context.fillStyle = colours.bar;
    context.fillRect(left, height - bar, Math.max(1, right - left - 1), bar);
  }
  const { sum } = line;
  const said = sum === null ? streams.lossLineUnknown : streams.lossLine(sum);
  canvas.ariaLabel = said;
  canvas.title = said;
}
