import type { Rate } from '../../../protocol/format';
import type { PixelFormat } from '../../../protocol/records';
import type { MoviePlay } from './movie-play';

export interface Size {
  width: number;
  height: number;
}

/** What decides which pixels ffmpeg makes of a movie's. */
export interface FilteredMovie
  extends Pick<
    MoviePlay,
    'colour' | 'hasAlpha' | 'format' | 'hiddenSeconds' | 'durationSeconds' | 'isBroadcast'
  > {
  /** BT.2020 colours and HDR become BT.709 and SDR. */
  isConverted: boolean;
  /** One picture, which is decoded once and repeated as it is sent. */
  isStill: boolean;
}

/** Receivers read UYVY as BT.709 from this many lines on, otherwise as BT.601; both in video levels. */
const hdLines = 720;
const exactly = 'flags=bicubic+accurate_rnd+full_chroma_int';

/** Times of pictures in order never go back so far. */
const leastBackSeconds = 0.01;

/** @param resampledTo null: each picture once */
export function movieFilters(
  movie: FilteredMovie,
  size: Size,
  pixelFormat: PixelFormat,
  resampledTo: Rate | null,
): string[] {
  const written = movie.hasAlpha ? 'bgra' : pixelFormat;
  return [
    ...(resampledTo
      ? [...seamFilters(movie), `fps=${resampledTo.numerator}/${resampledTo.denominator}`]
      : []),
    ...(movie.isConverted ? conversionFilters(movie) : []),
    ...scaleFilters(movie, size, written),
    `format=${written === 'uyvy' ? 'uyvy422' : 'bgra'}`,
    ...(movie.isStill ? ['loop=loop=-1:size=1'] : []),
  ];
}

/**
 * In ffmpeg, a loop lasts as long as everything that is decoded. Without the part that an edit list hides, the next loop begins where this
 * one ends. If the bytes of a movie are fed again and again, its times jump back at each beginning.
 */
function seamFilters({ hiddenSeconds, durationSeconds, isBroadcast, format }: FilteredMovie): string[] {
  if (isBroadcast) {
    const { numerator, denominator } = format.rate;
    const goOn = `st(0,ld(0)+ld(1)-T+${denominator}/${numerator})`;
    return [`setpts='if(eq(N,0),st(0,-T),if(lt(T,ld(1)-${leastBackSeconds}),${goOn}));st(1,T);PTS+ld(0)/TB'`];
  }
  if (hiddenSeconds === 0 || durationSeconds === null) return [];
  const isNext = `gte(T-ld(1),${durationSeconds + hiddenSeconds / 2})`;
  const tooLong = `T-ld(1)-${durationSeconds}`;
  return [`setpts='if(eq(N,0),st(1,T));if(${isNext},st(0,ld(0)+${tooLong});st(1,T));PTS-ld(0)/TB'`];
}

/** Filters of ffmpeg for conversions; some builds lack them. */
export const namesOfConversion = ['zscale', 'tonemap'] as const;
/** White paper and graphics in HDR (ITU-R BT.2408), cd/m². It is 1.0 for the filters. */
const referenceWhite = 203;
/** What the highest value stands for, cd/m². */
const brightest = { PQ: 10_000, HLG: 1000 };
const transfers = { PQ: 'smpte2084', HLG: 'arib-std-b67' };
const matrices = { bt601: 'smpte170m', bt709: 'bt709', bt2020: 'bt2020nc' };

/** Make RGB of BT.709 and SDR, of more bits than are sent. */
function conversionFilters({ colour, hasAlpha }: FilteredMovie): string[] {
  const { matrix, isFullRange, isWide, hdr } = colour;
  const rgb = hasAlpha ? 'gbrap' : 'gbrp';
  const from = [
    `zscale=matrixin=${matrix ? matrices[matrix] : 'gbr'}`,
    `rangein=${isFullRange || !matrix ? 'full' : 'limited'}`,
    `primariesin=${isWide ? 'bt2020' : 'bt709'}`,
    `transferin=${hdr ? transfers[hdr] : 'bt709'}`,
  ].join(':');
  const into = 'primaries=bt709:transfer=bt709:matrix=gbr:range=full';
  if (!hdr) return [`${from}:${into}`, `format=${rgb}16le`];
  return [
    `${from}:primaries=bt709:transfer=linear:matrix=gbr:range=full:npl=${referenceWhite}`,
    `format=${rgb}f32le`,
    // Without desaturation: for it, ffmpeg 5.1 takes all that is RGB to be three times as bright.
    `tonemap=mobius:param=0.3:desat=0:peak=${(brightest[hdr] / referenceWhite).toFixed(3)}`,
    `zscale=matrixin=gbr:rangein=full:primariesin=bt709:transferin=linear:${into}`,
    `format=${rgb}16le`,
  ];
}

function scaleFilters(movie: FilteredMovie, size: Size, written: PixelFormat): string[] {
  const { hasAlpha, format } = movie;
  const isResized = size.width !== format.width || size.height !== format.height;
  if (!(hasAlpha && isResized)) return [scaleFilter(movie, size, written)];
  // Colours that are not seen must not mix with those beside them.
  const resized = `scale=${size.width}:${size.height}:${exactly}`;
  const seen = ['format=gbrap', 'premultiply=inplace=1', resized, 'unpremultiply=inplace=1'];
  return [scaleFilter(movie, format, written), ...seen];
}

function scaleFilter(
  { colour, isConverted }: FilteredMovie,
  { width, height }: Size,
  pixelFormat: PixelFormat,
): string {
  const { matrix, isFullRange } = colour;
  const into = height >= hdLines ? 'bt709' : 'bt601';
  return [
    `scale=${width}:${height}`,
    ...(matrix && !isConverted
      ? [`in_color_matrix=${matrix}`, `in_range=${isFullRange ? 'full' : 'limited'}`]
      : []),
    ...(pixelFormat === 'uyvy' ? [`out_color_matrix=${into}`, 'out_range=limited'] : []),
    exactly,
  ].join(':');
}
