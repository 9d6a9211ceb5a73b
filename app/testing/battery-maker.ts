import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { BatteryMovie } from './movie-battery';
import { bt709Of, clipped } from './wide-colour';

export type Rgb = readonly [red: number, green: number, blue: number];

/** How a good player shows a movie of the battery. */
export interface ExpectedMovie {
  width: number;
  height: number;
  /** Width to height as it is shown; null: pixels are square. */
  aspect: number | null;
  durationSeconds: number;
  /** When each picture is shown, s after the first. */
  timesSeconds: number[];
  /** Top left, top right, bottom left, bottom right. */
  corners: Rgb[];
  /** A transparent place, as shares of width and height. */
  hole: readonly [across: number, down: number] | null;
}

/** Frames, by lines. */
const counts = { '336': 25, '720': 12 };
const widths = { '336': 384, '720': 768 };

/** Each is one of Hap's 65,536, so that no codec has to change it. */
const corners = [
  [198, 40, 41],
  [41, 195, 41],
  [41, 40, 198],
  [198, 195, 41],
] as const;

/** Which corner of the stored picture is shown where. */
const places = {
  '0': [0, 1, 2, 3],
  '90': [2, 0, 3, 1],
  '180': [3, 2, 1, 0],
  '270': [1, 3, 0, 2],
  flipped: [1, 0, 3, 2],
} as const;

/** Where the hole on the left of the stored picture is shown. */
const holes = {
  '0': [1 / 12, 0.5],
  '90': [0.5, 1 / 12],
  '180': [11 / 12, 0.5],
  '270': [0.5, 11 / 12],
  flipped: [11 / 12, 0.5],
} as const;

/** The upper left of the display matrix. */
const matrices = { '90': [0, 1, -1, 0], '180': [-1, 0, 0, -1], '270': [0, -1, 1, 0], flipped: [-1, 0, 0, 1] };

interface Timing {
  /** When a frame is shown, s, as JavaScript and as ffmpeg compute it. */
  secondsOf(frame: number): number;
  expression: string;
  /** How long the last frame is shown. */
  lastSeconds: number;
}

const steady: Timing = { secondsOf: (frame) => frame / 25, expression: 'N/25', lastSeconds: 1 / 25 };
const timings: Record<BatteryMovie['timing'], Timing> = {
  steady,
  fields: steady,
  ntsc: {
    secondsOf: (frame) => (frame * 1001) / 30000,
    expression: 'N*1001/30000',
    lastSeconds: 1001 / 30000,
  },
  jitter: {
    secondsOf: (frame) => frame / 25 + 0.008 * Math.sin(frame * frame),
    expression: 'N/25+0.008*sin(N*N)',
    lastSeconds: 1 / 25,
  },
  variable: {
    secondsOf: (frame) => (frame < 8 ? frame / 15 : 8 / 15 + (frame - 8) / 60),
    expression: 'if(lt(N,8),N/15,8/15+(N-8)/60)',
    lastSeconds: 1 / 60,
  },
  gaps: {
    secondsOf: (frame) => Math.floor((frame * 7) / 6) / 30,
    expression: 'floor(N*7/6)/30',
    lastSeconds: 1 / 30,
  },
};
const lateSeconds = 0.5;

export function expectedOf(movie: BatteryMovie): ExpectedMovie {
  const [width, height] = [widths[movie.lines], Number(movie.lines)];
  const isOnItsSide = movie.turn === '90' || movie.turn === '270';
  const stored = movie.aspect === 'square' ? null : ((width / height) * 64) / 45;
  const timesSeconds = timesOf(movie);
  return {
    ...(isOnItsSide ? { width: height, height: width } : { width, height }),
    aspect: stored !== null && isOnItsSide ? 1 / stored : stored,
    durationSeconds: (timesSeconds.at(-1) ?? 0) + timings[movie.timing].lastSeconds,
    timesSeconds,
    corners: places[movie.turn].map((place) => shownOf(movie, corners[place])),
    hole: movie.alpha === 'hole' ? holes[movie.turn] : null,
  };
}

/** BT.2020 primaries are shown as those of BT.709. */
function shownOf({ colour }: BatteryMovie, corner: Rgb): Rgb {
  return colour === '2020' ? clipped(bt709Of(corner)) : corner;
}

function timesOf({ timing, clock, lines }: BatteryMovie): number[] {
  return Array.from({ length: counts[lines] }, (_, frame) => {
    const seconds = timings[timing].secondsOf(frame);
    return clock === 'rate' ? seconds : Math.round(seconds * Number(clock)) / Number(clock);
  });
}

/** Makes a movie of four colours, a square in the middle that becomes brighter with each frame, and perhaps a hole on the left. */
export function makeBatteryMovie(movie: BatteryMovie, path: string): void {
  const cover = coverOf(movie);
  const sound = soundOf(movie);
  const inputs = [...cover.input, '-f', 'lavfi', '-i', pictureOf(movie), ...sound.input];
  const count = inputs.filter((word) => word === '-i').length;
  const film = [
    ...['-fps_mode', 'passthrough'],
    ...(movie.clock === 'rate' ? [] : ['-enc_time_base', `1/${movie.clock}`]),
    ...codings[movie.codec](movie),
    ...tagsOf(movie),
  ].map((word, index) => (index % 2 === 0 ? `${word}:${cover.film}` : word));
  execFileSync(
    'ffmpeg',
    [
      ...['-v', 'error', '-nostdin', '-y', ...inputs],
      ...Array.from({ length: count }, (_, index) => ['-map', `${index}`]).flat(),
      ...[...cover.coded, ...film, ...sound.coded],
      ...(movie.clock === '600' ? ['-video_track_timescale', '600'] : []),
      path,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000 },
  );
  if (movie.turn !== '0') turn(path, matrices[movie.turn]);
  if (movie.codec === 'prores') tagProRes(path, movie.colour);
}

function coverOf({ cover }: BatteryMovie) {
  if (cover === 'none') return { input: [], coded: [], film: 'v:0' };
  return {
    input: ['-f', 'lavfi', '-i', 'color=magenta:s=64x64,trim=end_frame=1'],
    coded: ['-c:v:0', 'mjpeg', '-disposition:v:0', 'attached_pic'],
    film: 'v:1',
  };
}

function soundOf(movie: BatteryMovie): { input: string[]; coded: string[] } {
  if (movie.sound === 'none') return { input: [], coded: [] };
  const beyondSeconds = { together: 0, longer: 1, late: lateSeconds }[movie.sound];
  const seconds = expectedOf(movie).durationSeconds + beyondSeconds;
  const codec = {
    webm: 'libopus',
    mkv: 'libopus',
    avi: 'pcm_s16le',
    mp4: 'aac',
    mov: 'aac',
    ts: 'aac',
    mpg: 'mp2',
  };
  return {
    input: ['-f', 'lavfi', '-i', `sine=d=${seconds}:r=48000`],
    coded: ['-c:a', codec[movie.container]],
  };
}

function pictureOf(movie: BatteryMovie): string {
  const [width, height] = [widths[movie.lines], Number(movie.lines)];
  const rate = movie.timing === 'ntsc' ? '30000/1001' : '25';
  const plane = (colour: string, share: number): string =>
    `color=${colour}:s=${width / share}x${height / share}:r=${rate},format=gbrp`;
  const hex = (colour: Rgb): string => `0x${Buffer.from(colour).toString('hex')}`;
  const graph = [
    ...corners.map((colour, index) => `${plane(hex(colour), 2)}[c${index}]`),
    '[c0][c1]hstack[top];[c2][c3]hstack[bottom];[top][bottom]vstack[all]',
    `${plane('white', 4)},fade=in:0:${counts[movie.lines]}[square]`,
    '[all][square]overlay=format=gbrp:x=W*3/8:y=H*3/8[opaque]',
    ...(movie.alpha === 'hole'
      ? [
          `${plane('white', 1)},drawbox=y=ih*3/8:w=iw/6:h=ih/4:color=black:t=fill,format=gray[mask]`,
          '[opaque]format=gbrap[o];[o][mask]alphamerge',
        ]
      : ['[opaque]null']),
  ].join(';');
  const lateBySeconds = movie.sound === 'late' ? lateSeconds : 0;
  const times =
    movie.clock === 'rate'
      ? [`setpts=N+round(${lateBySeconds}*${rate})`]
      : [
          `settb=1/${movie.clock}`,
          `setpts='round((${timings[movie.timing].expression}+${lateBySeconds})/TB)'`,
        ];
  const end = `trim=end_frame=${counts[movie.lines]}`;
  const aspect = movie.aspect === 'square' ? [] : ['setsar=64/45'];
  return [graph, end, paintOf(movie), ...aspect, ...times].join(',');
}

/** Of an untagged picture players guess the matrix by its size; a picture of JPEG has that of BT.601. */
function matrixOf({ colour, codec, lines }: BatteryMovie): 'bt601' | 'bt709' | 'bt2020' {
  if (colour === 'untagged') return lines === '720' ? 'bt709' : 'bt601';
  if (colour === '601' || codec === 'mjpeg') return 'bt601';
  return colour === '2020' ? 'bt2020' : 'bt709';
}

/** The filter that makes pixels as the codec takes them. */
function paintOf(movie: BatteryMovie): string {
  const hasAlpha = movie.alpha === 'hole';
  if (movie.codec === 'h264' && movie.colour === 'rgb') return 'format=bgr0';
  if (movie.codec === 'png') return hasAlpha ? 'format=rgba' : 'format=rgb24';
  if (movie.codec === 'hap') return 'format=rgba';
  const range = movie.colour === 'full' ? 'full' : 'limited';
  const pixels =
    movie.codec === 'prores'
      ? hasAlpha
        ? 'yuva444p10le'
        : 'yuv422p10le'
      : `${hasAlpha ? 'yuva' : movie.codec === 'mjpeg' ? 'yuvj' : 'yuv'}420p`;
  return `scale=out_color_matrix=${matrixOf(movie)}:out_range=${range}:flags=accurate_rnd+full_chroma_int,format=${pixels}`;
}

const tags = {
  '601': ['smpte170m', 'smpte170m', 'smpte170m', 'tv'],
  '709': ['bt709', 'bt709', 'bt709', 'tv'],
  full: ['bt709', 'bt709', 'bt709', 'pc'],
  '2020': ['bt2020nc', 'bt2020', 'bt2020-10', 'tv'],
};

function tagsOf({ colour, codec }: BatteryMovie): string[] {
  if (colour === 'rgb' || colour === 'untagged' || codec === 'mjpeg') return [];
  const names = ['-colorspace', '-color_primaries', '-color_trc', '-color_range'];
  return names.flatMap((name, index) => [name, tags[colour][index] ?? '']);
}

/** Options and values by turns. */
const codings: Record<BatteryMovie['codec'], (movie: BatteryMovie) => string[]> = {
  h264: ({ colour, timing }) => [
    ...['-c', colour === 'rgb' ? 'libx264rgb' : 'libx264', '-preset', 'veryfast', '-crf', '8'],
    ...(timing === 'fields' ? ['-flags', '+ilme+ildct', '-x264-params', 'tff=1'] : []),
  ],
  hevc: () => ['-c', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:crf=8'],
  vp9: () => ['-c', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '10', '-b', '0'],
  av1: () => ['-c', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-crf', '12'],
  mpeg2: ({ timing }) => [
    ...['-c', 'mpeg2video', '-q', '2'],
    ...(timing === 'fields' ? ['-flags', '+ilme+ildct', '-top', '1'] : []),
  ],
  mjpeg: () => ['-c', 'mjpeg', '-q', '2'],
  prores: ({ alpha }) => ['-c', 'prores_ks', '-profile', alpha === 'hole' ? '4444' : 'hq'],
  png: () => ['-c', 'png'],
  hap: ({ alpha }) => ['-c', 'hap', '-format', alpha === 'hole' ? 'hap_alpha' : 'hap'],
};

/** Writes a display matrix into the track of pictures, the only one with a size. */
function turn(path: string, [a = 1, b = 0, c = 0, d = 1]: readonly number[]): void {
  const file = readFileSync(path);
  for (let at = file.indexOf('tkhd'); at >= 0; at = file.indexOf('tkhd', at + 4)) {
    const matrix = at + 4 + 40;
    if (file.readUInt32BE(matrix + 36) === 0) continue;
    for (const [index, value] of [a, b, 0, c, d, 0].entries())
      file.writeInt32BE(value * 0x10000, matrix + 4 * index);
  }
  writeFileSync(path, file);
}

/** As cameras do: primaries, transfer and matrix in the head of each picture, where ffmpeg's encoder leaves them unspecified. */
function tagProRes(path: string, colour: BatteryMovie['colour']): void {
  const codes = { '601': [6, 1, 6], '709': [1, 1, 1], '2020': [9, 1, 9], full: [], untagged: [], rgb: [] };
  const file = readFileSync(path);
  for (let at = file.indexOf('icpf'); at >= 0; at = file.indexOf('icpf', at + 4))
    for (const [index, code] of codes[colour].entries()) file[at + 18 + index] = code;
  writeFileSync(path, file);
}
