import { join } from 'node:path';
import { badInput } from '../../protocol/errors';
import { framesPerSecond, rateText, type VideoFormat } from '../../protocol/format';
import type { ContentWriterOptions } from '../../protocol/records';
import type { ContentClip, Manifest } from './manifest';

/** The variants that ffmpeg's Hap encoder makes, by its name for them. `bytesPerPixel`: of the texture. */
export const variants = {
  hap: { fourCC: 'Hap1', bytesPerPixel: 0.5 },
  hap_alpha: { fourCC: 'Hap5', bytesPerPixel: 1 },
  hap_q: { fourCC: 'HapY', bytesPerPixel: 1 },
} as const;

export type Variant = keyof typeof variants;

/** How a clip is to be made. */
export interface ClipSettings {
  format: VideoFormat;
  seconds: number;
  variant: Variant;
  chunks: number;
}

/** How a clip is made unless set otherwise. */
export const usualClip = { seconds: 10, variant: 'hap_q', chunks: 8 } as const;

const mostChunks = 64;
const mostSeconds = 3600;

/** @throws WhitelineError BAD_INPUT */
export function checkSettings({ format, seconds, variant, chunks }: ClipSettings): void {
  const { width, height } = format;
  if (width % 4 !== 0 || height % 4 !== 0) {
    const remedy = 'ffmpeg’s Hap encoder takes no other; use for example 3840x2160';
    throw badInput('size', 'a width and a height that are multiples of 4', `${width}x${height}`, remedy);
  }
  if (!(seconds <= mostSeconds && framesOf({ format, seconds }) >= 2)) {
    throw badInput(
      'clipLength',
      `at least two frames and at most ${mostSeconds} s`,
      `${seconds}`,
      'Use for example 10',
    );
  }
  if (!(variant in variants)) {
    const known = Object.keys(variants).join(', ');
    throw badInput('variant', `one of ${known}`, variant, 'ffmpeg’s Hap encoder makes no others');
  }
  if (!(Number.isInteger(chunks) && chunks >= 1 && chunks <= mostChunks)) {
    throw badInput('chunks', `a whole number from 1 to ${mostChunks}`, `${chunks}`, 'Use for example 8');
  }
}

export function framesOf({ format, seconds }: Pick<ClipSettings, 'format' | 'seconds'>): number {
  return Math.round(seconds * framesPerSecond(format.rate));
}

/** Every setting is in the name, so that clips made in different ways lie beside each other. */
export function clipPath(folder: string, clip: ContentClip, settings: ClipSettings): string {
  const { format, seconds, variant, chunks } = settings;
  const rate = rateText(format.rate).replace('/', '-');
  return join(
    folder,
    `${clip.name}-${format.width}x${format.height}-${rate}-${seconds}s-${variant}-${chunks}.mov`,
  );
}

/** What the name of a clip's file says of it; null for any other file. */
export function clipOfFile(
  file: string,
): { name: string; format: string; seconds: number; variant: string; chunks: number } | null {
  const parts = /^([a-z][a-z0-9-]*)-(\d+x\d+)-(\d[\d.]*(?:-\d+)?)-(\d[\d.]*)s-(\w+)-(\d+)\.mov$/.exec(file);
  const [, name, size, rate, seconds, variant, chunks] = parts ?? [];
  if (!name || !rate || !variant || !(variant in variants)) return null;
  const format = `${size}@${rate.replace('-', '/')}`;
  return { name, format, seconds: Number(seconds), variant, chunks: Number(chunks) };
}

/** Paints the clip and lets ffmpeg write it to `path`, whatever that is called. */
export function writerOptions(clip: ContentClip, settings: ClipSettings, path: string): ContentWriterOptions {
  const { format, variant, chunks } = settings;
  const { width, height, rate } = format;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'bgra', '-video_size', `${width}x${height}`];
  return {
    generator: clip.generator,
    width,
    height,
    rateNumerator: rate.numerator,
    rateDenominator: rate.denominator,
    frames: framesOf(settings),
    command: {
      file: 'ffmpeg',
      arguments: [
        ...['-v', 'error', '-nostats', ...input, '-framerate', `${rate.numerator}/${rate.denominator}`],
        ...['-i', 'pipe:0', '-c:v', 'hap', '-format', variant, '-chunks', String(chunks)],
        // "file:" keeps a path with a colon from being taken for a protocol.
        ...['-f', 'mov', '-y', `file:${path}`],
      ],
    },
  };
}

/**
 * About how much disk a clip takes: its measured share of what a frame takes at most, and a fifth more, as another size,
 * rate or variant compresses a little differently.
 */
export function expectedBytes(clip: ContentClip, settings: ClipSettings, manifest: Manifest): number {
  const { width, height } = settings.format;
  const mostBytes = framesOf(settings) * width * height * variants[settings.variant].bytesPerPixel;
  if ('notMeasured' in clip.hapQ) return mostBytes;
  const { size, rate } = manifest.measured.hapQ;
  const [measuredWidth = 0, measuredHeight = 0] = size.split('x').map(Number);
  const mostMeasuredMbps = (measuredWidth * measuredHeight * variants.hap_q.bytesPerPixel * rate * 8) / 1e6;
  return mostBytes * Math.min(1, (1.2 * clip.hapQ.bitrateMbps) / mostMeasuredMbps);
}
