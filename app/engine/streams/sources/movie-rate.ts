import type { Rate } from '../../../protocol/format';
import { mostProbedPackets, type ProbedPacket, type ProbedPicture } from './movie-probe';

export interface MovieRate {
  rate: Rate;
  /** The frames do not come at equal times. */
  isUnsteady: boolean;
}

/** Two rates that differ by less are one. */
const sameRateShare = 1e-3;
/** An average this near to a common rate stands for that rate: a few frames were left out. */
const usualRateShare = 5e-3;
const usualRates: readonly Rate[] = [
  ...[24, 30, 48, 60, 120].map((rate) => ({ numerator: rate * 1000, denominator: 1001 })),
  ...[24, 25, 30, 48, 50, 60, 100, 120].map((rate) => ({ numerator: rate, denominator: 1 })),
];

/** A movie whose length differs by less from that of its pictures at their rate has but a last picture of another length. */
const sameLengthPictures = 1.5;

/**
 * If the container counts its pictures, ffprobe's average is exact, unless an edit list hides some of them, or the last one is longer or
 * shorter than the others. Otherwise the average is a guess, 60 for 24.6 at worst, and the times of the first pictures decide.
 * @returns null: the file does not tell
 */
export function rateOf(film: ProbedPicture, packets: readonly ProbedPacket[]): MovieRate | null {
  const times = timesOf(film, packets);
  if (film.nb_frames === null && times.length > 2) return rateOfTimes(film, times);
  const rate = rateOfBooks(film);
  return rate?.isUnsteady ? (rateOfShown(film, packets, times) ?? rate) : rate;
}

/** Null: it is that of all pictures. */
function rateOfShown(
  film: ProbedPicture,
  packets: readonly ProbedPacket[],
  times: readonly number[],
): MovieRate | null {
  const { r_frame_rate: rate, nb_frames: pictures, duration: seconds } = film;
  if (!rate || pictures === null || seconds === null || times.length < 3) return null;
  const hidden = hiddenPackets(film, packets).length;
  if (hidden > 0 && packets.length < mostProbedPackets) return rateOfTimes(film, times);
  const shown = pictures - hidden;
  const isOfLength = Math.abs(seconds * perSecond(rate) - shown) <= sameLengthPictures;
  return isOfLength && isSteadyAt(film, times, rate) ? { rate, isUnsteady: false } : null;
}

/** What an edit list has decoded and not shown. */
export function hiddenPackets({ index }: ProbedPicture, packets: readonly ProbedPacket[]): ProbedPacket[] {
  return packets.filter(({ stream_index: stream, flags }) => stream === index && flags.includes('D'));
}

/** ffprobe's other rate is the lowest at which every frame has its own time. If the times are not steady, it is the rate of their clock. */
function rateOfBooks({ r_frame_rate: finest, avg_frame_rate: average }: ProbedPicture): MovieRate | null {
  if (!average) return finest && { rate: finest, isUnsteady: false };
  if (finest && isNear(finest, average, sameRateShare)) return { rate: finest, isUnsteady: false };
  return { rate: usualOr(average), isUnsteady: true };
}

function rateOfTimes(film: ProbedPicture, times: readonly number[]): MovieRate {
  const { r_frame_rate: finest, avg_frame_rate: average } = film;
  const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const measured: Rate = { numerator: (times.length - 1) / seconds, denominator: 1 };
  const steady = [finest, average, nearestUsual(measured)].find(
    (rate) => rate && isSteadyAt(film, times, rate),
  );
  return steady ? { rate: steady, isUnsteady: false } : { rate: usualOr(measured), isUnsteady: true };
}

function isSteadyAt({ time_base: tick }: ProbedPicture, times: readonly number[], rate: Rate): boolean {
  const [first = 0] = times;
  // A time is rounded to a tick, and written with six digits.
  const mostOffSeconds = tick ? perSecond(tick) + 1e-6 : 1e-6;
  return times.every((time, index) => Math.abs(time - first - index / perSecond(rate)) <= mostOffSeconds);
}

/** When the first pictures are shown, s, in that order; a later packet holds none that comes between. */
function timesOf(film: ProbedPicture, packets: readonly ProbedPacket[]): number[] {
  const hidden = new Set(hiddenPackets(film, packets));
  const own = packets.filter((packet) => packet.stream_index === film.index && !hidden.has(packet));
  const lastDecoded = own.at(-1)?.dts_time ?? null;
  const isWhole = packets.length < mostProbedPackets;
  const isKnown = (time: number): boolean => isWhole || (lastDecoded !== null && time <= lastDecoded);
  const times = own.flatMap(({ pts_time: time }) => time ?? []);
  // A program stream has a time for some pictures only.
  if (times.length < own.length) return [];
  const inOrder = [...new Set(times.filter(isKnown))].sort((a, b) => a - b);
  return referencesBeside.has(film.codec_name) ? inOrder.filter(isShown) : inOrder;
}

/** They keep pictures that are never shown, in packets of their own close before the next picture. */
const referencesBeside: ReadonlySet<string> = new Set(['vp8', 'vp9']);
const mostBesideSeconds = 2.5e-3;

function isShown(time: number, index: number, times: readonly number[]): boolean {
  return (times[index + 1] ?? Number.POSITIVE_INFINITY) - time > mostBesideSeconds;
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
