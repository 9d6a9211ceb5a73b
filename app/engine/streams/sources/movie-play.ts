import type { VideoFormat } from '../../../protocol/format';
import { type Colour, colourOf } from './movie-colour';
import { type ProbedMovie, type ProbedPicture, unknownCodec } from './movie-probe';
import { hiddenPackets, rateOf } from './movie-rate';

/** How a movie is played that ffmpeg decodes, decided from one answer of ffprobe. */
export interface MoviePlay {
  /** By ffmpeg's name. */
  container: string;
  /** Its container is made for broadcast: it may begin at any place, and has no index. */
  isBroadcast: boolean;
  /** Index of the film among the streams of its file. */
  streamIndex: number;
  codec: string;
  /** Upright. */
  format: VideoFormat;
  /** Its frames do not come at equal times: it is sent at their average rate, and each is shown at its time. */
  isUnsteady: boolean;
  /** Its container counts its frames, and none of them is empty: if the rate is steady, it is so to the end. */
  isCounted: boolean;
  /** As it is shown against how it is stored. */
  turn: Turn;
  /** Width to height as it is shown; null: pixels are square. */
  aspect: number | null;
  colour: Colour;
  hasAlpha: boolean;
  /** The one that decodes alpha; null: ffmpeg chooses. */
  decoder: string | null;
  /** When its first picture is, by the times of its file. */
  startSeconds: number;
  /** From the first picture to the end of the last; null: the file does not tell. */
  durationSeconds: number | null;
  /** How long after the first sound the first picture comes. */
  lateSeconds: number;
  /** The container has no times at which its pictures are shown. */
  lacksTimes: boolean;
  /** How much comes before the first picture that its edit list does not show. */
  hiddenSeconds: number;
}

export interface Turn {
  /** Clockwise: 0, 90, 180 or 270, or what the file says. */
  degrees: number;
  isMirrored: boolean;
}

/** Why a file that can be read is not played. */
export type NotPlayed = 'no-picture' | 'no-decoder' | 'no-size' | 'no-rate' | 'no-times';

/** A stream of pictures by itself, which cannot be read from its beginning again. */
const elementary = /^(h26[1-4]|hevc|vvc|m4v|mpegvideo|obu|vc1|dirac|cavsvideo|avs2|avs3|evc)$/;
const broadcast = /^(mpegts|mpeg)$/;
/** Its empty frames stand for repeats of the one before. */
const countsEmptyFrames = 'avi';
const leastLateSeconds = 0.1;

export function playOf(movie: ProbedMovie): MoviePlay | NotPlayed {
  const film = filmOf(movie);
  if (!film) return 'no-picture';
  if (film.codec_name === unknownCodec) return 'no-decoder';
  if (film.width === 0 || film.height === 0) return 'no-size';
  if (elementary.test(movie.container)) return 'no-times';
  const rate = rateOf(film, movie.packets);
  if (!rate) return 'no-rate';
  const turn = turnOf(film);
  const decoder = alphaDecoderOf(film);
  const isOnItsSide = Math.round(turn.degrees / 90) % 2 === 1;
  const [width, height] = isOnItsSide ? [film.height, film.width] : [film.width, film.height];
  return {
    container: movie.container,
    isBroadcast: broadcast.test(movie.container),
    streamIndex: film.index,
    codec: film.codec_name,
    format: { width, height, rate: rate.rate },
    isUnsteady: rate.isUnsteady,
    isCounted: film.nb_frames !== null && movie.container !== countsEmptyFrames,
    turn,
    aspect: aspectOf(film, isOnItsSide),
    colour: colourOf(film),
    hasAlpha: decoder !== null || alphaFormats.test(film.pix_fmt),
    decoder,
    startSeconds: film.start_time ?? 0,
    durationSeconds: film.duration ?? untilEndOf(film),
    lateSeconds: lateSecondsOf(film, movie),
    lacksTimes: movie.packets.some(
      ({ stream_index: stream, pts_time: seconds }) => stream === film.index && seconds === null,
    ),
    hiddenSeconds: hiddenSecondsOf(film, movie),
  };
}

/** A cover is no film, nor is a single picture beside a film. Of several films the file names the one that players show. */
function filmOf({ pictures, packets }: ProbedMovie): ProbedPicture | undefined {
  const candidates = pictures.filter(({ disposition }) => !disposition.attached_pic);
  const countOf = ({ index }: ProbedPicture): number =>
    packets.filter((packet) => packet.stream_index === index).length;
  const moving = candidates.filter((picture) => countOf(picture) > 1);
  const films = moving.length > 0 ? moving : candidates;
  return films.find(({ disposition }) => disposition.default) ?? films[0];
}

/** Matroska counts from the beginning of the file. */
function untilEndOf({ tags, start_time: startSeconds }: ProbedPicture): number | null {
  const endSeconds = secondsOf(tags.DURATION);
  return endSeconds === null ? null : endSeconds - (startSeconds ?? 0);
}

/** "00:01:02.500000000" */
function secondsOf(text = ''): number | null {
  const [hours, minutes, seconds] = text.split(':').map(Number);
  const sum = 3600 * (hours ?? Number.NaN) + 60 * (minutes ?? Number.NaN) + (seconds ?? Number.NaN);
  return Number.isFinite(sum) ? sum : null;
}

/** Nine numbers in three rows, each after the number of its row. */
function turnOf({ side_data_list: sideData }: ProbedPicture): Turn {
  const text = sideData.find(({ displaymatrix }) => displaymatrix !== undefined)?.displaymatrix ?? '';
  const rows = text
    .trim()
    .split('\n')
    .map((row) =>
      row
        .replace(/^\s*\d+:/, '')
        .trim()
        .split(/\s+/)
        .map(Number),
    );
  const [[a = 1, b = 0] = [], [c = 0, d = 1] = []] = rows;
  if (![a, b, c, d].every(Number.isFinite)) return { degrees: 0, isMirrored: false };
  const isMirrored = a * d - b * c < 0;
  // Mirrored left and right first, then turned.
  const degrees = (Math.atan2(b, isMirrored ? -a : a) * 180) / Math.PI;
  return { degrees: (Math.round(isMirrored ? -degrees : degrees) + 360) % 360, isMirrored };
}

function aspectOf({ sample_aspect_ratio: pixel, width, height }: ProbedPicture, isOnItsSide: boolean) {
  if (!pixel || pixel.numerator === pixel.denominator) return null;
  const stored = ((width / height) * pixel.numerator) / pixel.denominator;
  return isOnItsSide ? 1 / stored : stored;
}

const alphaFormats = /^(yuva|rgba|bgra|argb|abgr|gbrap|ya\d|pal8)/;
/** WebM keeps alpha beside the pictures, where ffmpeg's own decoders do not look. */
function alphaDecoderOf({ codec_name: codec, tags }: ProbedPicture): string | null {
  if (tags.alpha_mode !== '1') return null;
  return { vp8: 'libvpx', vp9: 'libvpx-vp9' }[codec] ?? null;
}

function lateSecondsOf(film: ProbedPicture, { startSeconds }: ProbedMovie): number {
  const lateSeconds = (film.start_time ?? 0) - (startSeconds ?? film.start_time ?? 0);
  return lateSeconds >= leastLateSeconds ? lateSeconds : 0;
}

function hiddenSecondsOf(film: ProbedPicture, { packets }: ProbedMovie): number {
  const startSeconds = film.start_time ?? 0;
  const times = hiddenPackets(film, packets).map(({ pts_time: seconds }) => seconds ?? startSeconds);
  return startSeconds - Math.min(startSeconds, ...times);
}
