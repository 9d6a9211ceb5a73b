import type { Rate } from '../../../protocol/format';
import { mostProbedPackets, type ProbedPacket, type ProbedPicture } from './movie-probe';

export interface MovieRate {
  rate: Rate;
  /** The frames do not come at equal times. */
  isUnsteady: boolean;
}

/** Two rates that differ by less are one. */
const sameRateShare = 1e-3;
/** An average so near to a usual rate stands for it: a few frames were left out. */
const usualRateShare = 5e-3;
const usualRates: readonly Rate[] = [
  ...[24, 30, 48, 60, 120].map((rate) => ({ numerator: rate * 1000, denominator: 1001 })),
  ...[24, 25, 30, 48, 50, 60, 100, 120].map((rate) => ({ numerator: rate, denominator: 1 })),
];

/**
 * Of a container that counts its pictures, ffprobe's average is exact. Of another it is a guess, 60 for 24.6 at worst, and the times of
 * the first pictures decide.
 * @returns null: the file does not tell
 */
export function rateOf(film: ProbedPicture, packets: readonly ProbedPacket[]): MovieRate | null {
  const times = film.nb_frames !== null ? [] : timesOf(film, packets);
  return times.length > 2 ? rateOfTimes(film, times) : rateOfBooks(film);
}

/** ffprobe's other rate is the lowest at which every frame has a time of its own: of unsteady times that is their clock's. */
function rateOfBooks({ r_frame_rate: finest, avg_frame_rate: average }: ProbedPicture): MovieRate | null {
  if (!average) return finest && { rate: finest, isUnsteady: false };
  if (finest && isNear(finest, average, sameRateShare)) return { rate: finest, isUnsteady: false };
  return { rate: usualOr(average), isUnsteady: true };
}

function rateOfTimes(
  { r_frame_rate: finest, avg_frame_rate: average, time_base: tick }: ProbedPicture,
  times: number[],
) {
  const [first = 0] = times;
  const seconds = (times.at(-1) ?? 0) - first;
  const measured: Rate = { numerator: (times.length - 1) / seconds, denominator: 1 };
  // A time is rounded to a tick, and written with six digits.
  const mostOffSeconds = tick ? perSecond(tick) + 1e-6 : 1e-6;
  const isSteadyAt = (rate: Rate): boolean =>
    times.every((time, index) => Math.abs(time - first - index / perSecond(rate)) <= mostOffSeconds);
  const steady = [finest, average, nearestUsual(measured)].find((rate) => rate && isSteadyAt(rate));
  return steady ? { rate: steady, isUnsteady: false } : { rate: usualOr(measured), isUnsteady: true };
}

/** When the first pictures are shown, s, in that order; a later packet holds none that comes between. */
function timesOf({ index }: ProbedPicture, packets: readonly ProbedPacket[]): number[] {
  const own = packets.filter((packet) => packet.stream_index === index);
  const lastDecoded = own.at(-1)?.dts_time ?? null;
  const isWhole = packets.length < mostProbedPackets;
  const isKnown = (time: number): boolean => isWhole || (lastDecoded !== null && time <= lastDecoded);
  const times = own.flatMap(({ pts_time: time }) => time ?? []);
  // A program stream has a time for some pictures only.
  if (times.length < own.length) return [];
  return [...new Set(times.filter(isKnown))].sort((a, b) => a - b);
}

function usualOr(average: Rate): Rate {
  const usual = nearestUsual(average);
  return usual && isNear(usual, average, usualRateShare) ? usual : rounded(average);
}

function nearestUsual(rate: Rate): Rate | undefined {
  return [...usualRates].sort((a, b) => distance(a, rate) - distance(b, rate))[0];
}

function perSecond({ numerator, denominator }: Rate): number {
  return numerator / denominator;
}

function distance(a: Rate, b: Rate): number {
  return Math.abs(perSecond(a) / perSecond(b) - 1);
}

function isNear(a: Rate, b: Rate, share: number): boolean {
  return distance(a, b) <= share;
}

function rounded(rate: Rate): Rate {
  return { numerator: Math.round(1000 * perSecond(rate)), denominator: 1000 };
}
