import { useEffect, useRef } from 'react';
import { parseRate } from '../../app/protocol/format';
import { whiteLineAt } from '../../app/protocol/white-line';
import { texts } from '../texts';
import { shareDisplayRate } from './display-rate';
import { RefreshCounter } from './refresh-counter';

interface Props {
  className?: string;
  isStill?: boolean;
  /** Called with each refresh that was drawn. */
  onRefresh?: (counter: RefreshCounter) => void;
  testId?: string;
}

/** The frame that stands for a line that must not move: half-way across. */
const stillFrame = 60;
const fallbackRate = '60';

/** The white line at the display's own rate, drawn from the frame number like any other. */
export function WhiteLineCanvas({ className, isStill, onRefresh, testId }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d', { alpha: false });
    if (!element || !context) return;
    const sizes = new ResizeObserver(() => {
      element.width = Math.round(element.clientWidth * devicePixelRatio);
      element.height = Math.round(element.clientHeight * devicePixelRatio);
      if (isStill) draw(context, stillFrame, null);
    });
    sizes.observe(element);
    if (isStill) return () => sizes.disconnect();

    const counter = new RefreshCounter();
    const stopSharing = shareDisplayRate(counter);
    let request = requestAnimationFrame(function refresh(timestampMs) {
      request = requestAnimationFrame(refresh);
      counter.tick(timestampMs);
      draw(context, counter.frameNumber, counter.refreshHz);
      element.dataset.frameNumber = String(counter.frameNumber);
      onRefresh?.(counter);
    });
    return () => {
      stopSharing();
      cancelAnimationFrame(request);
      sizes.disconnect();
    };
  }, [isStill, onRefresh]);

  return (
    <canvas
      ref={canvas}
      className={className}
      data-testid={testId}
      role="img"
      aria-label={texts.whiteLine.label}
    />
  );
}

function draw(context: CanvasRenderingContext2D, frameNumber: number, refreshHz: number | null): void {
  const { width, height } = context.canvas;
  const rate = parseRate(refreshHz === null ? fallbackRate : String(Math.max(1, Math.round(refreshHz))));
  const line = whiteLineAt(frameNumber, width, rate);
  context.fillStyle = '#000000';
  context.fillRect(0, 0, width, height);
  context.fillStyle = '#ffffff';
  context.fillRect(line.left, 0, line.width, height);
}
