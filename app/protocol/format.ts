import { badInput } from './errors';

/** Frames per second as an exact fraction, e.g. 60000/1001. */
export interface Rate {
  numerator: number;
  denominator: number;
}

/** Size and rate of a stream's picture. */
export interface VideoFormat {
  width: number;
  height: number;
  rate: Rate;
}

/** Smallest and largest picture that can carry the frame code and that NDI takes. */
const sizeLimits = { minWidth: 320, minHeight: 180, maxWidth: 16384, maxHeight: 16384 } as const;
/** Frames per second that a source may play at. By a rate that rounds to none libndi 6.3 ends its process, dividing by it. */
const minRate = 0.5;
export const maxRate = 1000;
/** Of a rate's numerator and denominator. */
const maxRateTerm = 999_999_999;
const formatRemedy = 'Use for example 1280x720@60 or 1920x1080@59.94';

/** Rates of film and television whose decimal name is not their exact value. */
const namedRates = new Map<string, Rate>([
  ['23.976', { numerator: 24000, denominator: 1001 }],
  ['23.98', { numerator: 24000, denominator: 1001 }],
  ['29.97', { numerator: 30000, denominator: 1001 }],
  ['47.95', { numerator: 48000, denominator: 1001 }],
  ['59.94', { numerator: 60000, denominator: 1001 }],
  ['119.88', { numerator: 120000, denominator: 1001 }],
]);

/** What the console offers; any other format can be typed. */
export const presetSizes = ['3840x2160', '1920x1080', '1280x720', '640x360'] as const;
export const presetRates = ['60', '59.94', '50', '30', '29.97', '25', '24'] as const;

export function parseRate(
  text: string,
  field = 'rate',
  remedy = 'Use for example 60, 59.94 or 60000/1001',
): Rate {
  const named = namedRates.get(text);
  if (named) return { ...named };
  const fraction = /^(\d{1,9})(?:\/(\d{1,9}))?$/.exec(text);
  const rate = { numerator: Number(fraction?.[1]), denominator: Number(fraction?.[2] ?? 1) };
  checkRate(rate, field, text, remedy);
  return rate;
}

/** Checks a rate that a source can be played at. */
export function checkRate(rate: Rate, field: string, received: string, remedy: string): void {
  const perSecond = framesPerSecond(rate);
  const largestTerm = Math.max(rate.numerator, rate.denominator);
  if (perSecond >= minRate && perSecond <= maxRate && largestTerm <= maxRateTerm) return;
  throw badInput(
    field,
    `frames per second from ${minRate} to ${maxRate}, whole or as a fraction`,
    received,
    remedy,
  );
}

/** Checks the rules that every stream's picture obeys. */
export function checkSize(
  width: number,
  height: number,
  field: string,
  received: string,
  remedy = formatRemedy,
): void {
  const { minWidth, minHeight, maxWidth, maxHeight } = sizeLimits;
  const even = Number.isInteger(width) && width % 2 === 0;
  if (!even || width < minWidth || width > maxWidth || !(height >= minHeight && height <= maxHeight)) {
    throw badInput(
      field,
      `an even width from ${minWidth} to ${maxWidth} and a height from ${minHeight} to ${maxHeight}`,
      received,
      remedy,
    );
  }
}

/** Parses "1280x720". */
export function parseSize(text: string, field: string): { width: number; height: number } {
  const parts = /^(\d{1,6})[x×](\d{1,6})$/i.exec(text.trim());
  if (!parts) throw badInput(field, 'WIDTHxHEIGHT', text, 'Use for example 1280x720');
  const [width, height] = [Number(parts[1]), Number(parts[2])];
  checkSize(width, height, field, text);
  return { width, height };
}

/** Parses "1280x720@60" or "1920x1080@60000/1001". */
export function parseFormat(text: string, field = 'format'): VideoFormat {
  const parts = /^(\d{1,6})[x×](\d{1,6})@(.+)$/i.exec(text.trim());
  if (!parts) throw badInput(field, 'WIDTHxHEIGHT@RATE', text, formatRemedy);
  const [width, height] = [Number(parts[1]), Number(parts[2])];
  checkSize(width, height, field, text);
  return { width, height, rate: parseRate(parts[3] ?? '', field, formatRemedy) };
}

export function framesPerSecond(rate: Rate): number {
  return rate.numerator / rate.denominator;
}

export function sameRate(one: Rate, other: Rate): boolean {
  return one.numerator * other.denominator === other.numerator * one.denominator;
}

export function rateText(rate: Rate): string {
  if (rate.denominator === 1) return String(rate.numerator);
  for (const [name, value] of namedRates) {
    if (value.numerator === rate.numerator && value.denominator === rate.denominator) return name;
  }
  return `${rate.numerator}/${rate.denominator}`;
}

export function formatText(format: VideoFormat): string {
  return `${format.width}x${format.height}@${rateText(format.rate)}`;
}
