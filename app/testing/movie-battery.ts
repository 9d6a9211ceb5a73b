import { type Combination, pairwise } from './pairwise';

/**
 * What movies differ in. `late`: the first picture comes half a second after the first sound. Times of unsteady movies are those of
 * phones, screen recorders and editors that leave frames out.
 */
const factors = {
  container: ['mp4', 'mov', 'mkv', 'webm', 'avi', 'ts', 'mpg'],
  codec: ['h264', 'hevc', 'vp9', 'av1', 'mpeg2', 'mjpeg', 'prores', 'png', 'hap'],
  timing: ['steady', 'ntsc', 'jitter', 'variable', 'gaps', 'fields'],
  clock: ['90000', '600', '1000', 'rate'],
  turn: ['0', '90', '180', '270', 'flipped'],
  colour: ['601', '709', '2020', 'full', 'untagged', 'rgb'],
  alpha: ['none', 'hole'],
  aspect: ['square', '64:45'],
  sound: ['none', 'together', 'longer', 'late'],
  cover: ['none', 'first'],
  lines: ['336', '720'],
} as const;

export type BatteryMovie = Combination<typeof factors>;

type Partly = Partial<BatteryMovie>;

/** Where the one factor has one of these values, the other has one of those. */
function rule<One extends keyof BatteryMovie, Other extends keyof BatteryMovie>(
  one: One,
  values: readonly BatteryMovie[One][],
  other: Other,
  allowed: readonly BatteryMovie[Other][],
): (movie: Partly) => boolean {
  return (movie) => {
    const [value, beside] = [movie[one], movie[other]];
    const isMeant = value !== undefined && (values as readonly string[]).includes(value);
    return !isMeant || beside === undefined || (allowed as readonly string[]).includes(beside);
  };
}

const yuv = ['601', '709', '2020', 'full', 'untagged'] as const;

const rules = [
  rule('container', ['mp4'], 'codec', ['h264', 'hevc', 'vp9', 'av1', 'mpeg2', 'mjpeg']),
  // Hap in .mov has a path of its own.
  rule('container', ['mov'], 'codec', ['h264', 'hevc', 'mpeg2', 'mjpeg', 'prores', 'png']),
  rule('container', ['mkv'], 'codec', ['h264', 'hevc', 'vp9', 'av1', 'mpeg2', 'mjpeg', 'hap']),
  rule('container', ['webm'], 'codec', ['vp9', 'av1']),
  rule('container', ['avi'], 'codec', ['h264', 'mjpeg', 'png', 'hap']),
  rule('container', ['ts'], 'codec', ['h264', 'hevc', 'mpeg2']),
  rule('container', ['mpg'], 'codec', ['mpeg2']),
  rule('container', ['mp4', 'mov'], 'clock', ['90000', '600', 'rate']),
  rule('container', ['mkv', 'webm'], 'clock', ['1000', 'rate']),
  rule('container', ['avi'], 'clock', ['rate']),
  rule('container', ['ts'], 'clock', ['90000', 'rate']),
  rule('container', ['avi'], 'timing', ['steady', 'ntsc']),
  rule('codec', ['mpeg2'], 'clock', ['rate']),
  rule('clock', ['rate'], 'timing', ['steady', 'ntsc', 'fields']),
  rule('codec', ['h264'], 'colour', [...yuv, 'rgb']),
  rule('codec', ['hevc', 'vp9', 'av1'], 'colour', yuv),
  rule('codec', ['mpeg2'], 'colour', ['601', '709', 'untagged']),
  rule('codec', ['mjpeg'], 'colour', ['full']),
  rule('codec', ['prores'], 'colour', ['601', '709', '2020', 'untagged']),
  rule('codec', ['png', 'hap'], 'colour', ['rgb']),
  rule('codec', ['mpeg2'], 'timing', ['steady', 'ntsc', 'fields']),
  rule('timing', ['fields'], 'codec', ['h264', 'mpeg2']),
  rule('turn', ['90', '180', '270', 'flipped'], 'container', ['mp4', 'mov']),
  rule('alpha', ['hole'], 'codec', ['vp9', 'prores', 'png', 'hap']),
  rule('alpha', ['hole'], 'container', ['mov', 'mkv', 'webm', 'avi']),
  rule('aspect', ['64:45'], 'container', ['mp4', 'mov', 'mkv', 'webm']),
  rule('sound', ['late'], 'container', ['mp4', 'mov', 'mkv', 'webm', 'ts', 'mpg']),
  rule('cover', ['first'], 'container', ['mkv']),
];

export const movieBattery: readonly BatteryMovie[] = pairwise(factors, (movie) =>
  rules.every((holds) => holds(movie)),
);

/** It is a file's name, too. */
export function batteryName(movie: BatteryMovie): string {
  return Object.values(movie).join(' ').replace(':', '-');
}
