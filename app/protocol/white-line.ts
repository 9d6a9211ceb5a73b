import type { Rate } from './format';

export interface WhiteLine {
  left: number;
  width: number;
}

/** Where the white line stands in a frame (docs/frame-code.md): across in 2 s and back in 2 s, in whole numbers. */
export function whiteLineAt(frameNumber: number, width: number, rate: Rate): WhiteLine {
  const lineWidth = Math.max(4, 2 * Math.floor(width / 320));
  const period = 4n * BigInt(rate.numerator);
  const phase = (BigInt(frameNumber) * BigInt(rate.denominator)) % period;
  const way = phase < period - phase ? phase : period - phase;
  const left = 2n * ((way * BigInt(width - lineWidth)) / period);
  return { left: Number(left), width: lineWidth };
}
