import { z } from 'zod';
import { inputArguments, lastLine, runTool } from './ffmpeg-tool';
import { unreadableMovie } from './movie-file';
import type { PictureFile } from './picture-file';

/** A number that ffprobe writes as text, or leaves out. */
const decimal = z.coerce.number().nonnegative().nullable().catch(null);
/** A number, and not 0. */
const count = z.coerce.number().positive().nullable().catch(null);
const time = z.coerce.number().nullable().catch(null);
/** "30000/1001" or "64:45"; null: ffprobe does not know it. */
const fraction = z
  .string()
  .transform((text) => {
    const [numerator = 0, denominator = 0] = text.split(/[/:]/).map(Number);
    return numerator > 0 && denominator > 0 ? { numerator, denominator } : null;
  })
  .nullable()
  .catch(null);
/** Codec of pictures for which this ffmpeg has no decoder. */
export const unknownCodec = 'unknown';
/** How containers write that they do not know a duration, in ticks. */
const unknownTicks = 2 ** 32 - 1;
const flag = z.coerce.number().transform((value) => value !== 0);

const sideData = z
  .array(z.object({ side_data_type: z.string(), displaymatrix: z.string().optional() }))
  .default([]);

const picture = z.object({
  codec_type: z.literal('video'),
  index: z.number(),
  codec_name: z.string().default(unknownCodec),
  /** 0: ffprobe could not read it. */
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
  pix_fmt: z.string().default(''),
  r_frame_rate: fraction,
  avg_frame_rate: fraction,
  time_base: fraction.default(null),
  /** Given by a container that counts its frames. */
  nb_frames: count,
  sample_aspect_ratio: fraction.default(null),
  start_time: time,
  /** Matroska has it among the tags. */
  duration: decimal,
  duration_ts: count,
  color_space: z.string().default('unknown'),
  color_range: z.string().default('unknown'),
  color_transfer: z.string().default('unknown'),
  color_primaries: z.string().default('unknown'),
  disposition: z.object({ default: flag, attached_pic: flag }).partial().default({}),
  tags: z.object({ DURATION: z.string(), alpha_mode: z.string() }).partial().default({}),
  side_data_list: sideData,
});

const packet = z.object({
  stream_index: z.number(),
  pts_time: time,
  dts_time: time,
  /** D: its picture is not shown. */
  flags: z.string().default(''),
});

/** A decoded picture; only here does a photo have its rotation. */
const frame = z.object({ stream_index: z.number(), side_data_list: sideData });

const answer = z.object({
  frames: z.array(frame).default([]),
  packets: z.array(packet).default([]),
  streams: z.array(z.unknown()).default([]),
  format: z
    .object({
      format_name: z.string().default(''),
      start_time: time,
    })
    .default({ format_name: '', start_time: null }),
});

/** A stream of pictures, as ffprobe reports it. */
export type ProbedPicture = z.infer<typeof picture>;

/** A compressed picture: when it is shown and decoded, s. */
export type ProbedPacket = z.infer<typeof packet>;

/** Enough to tell steady times from others; of ProRes in 4K they are a gigabyte. */
export const mostProbedPackets = 150;

export interface ProbedMovie {
  /** In the order of the file, covers among them. */
  pictures: ProbedPicture[];
  /** Names that its container goes by. */
  container: string;
  /** The first ones, in the order of the file. */
  packets: ProbedPacket[];
  /** Start of all streams; null: the container does not tell. */
  startSeconds: number | null;
}

/**
 * Asks ffprobe once for all that decides how a movie is played.
 * @throws WhitelineError MOVIE_UNREADABLE, TOOL_MISSING
 */
export async function probeMovie(path: string, picture: PictureFile | null): Promise<ProbedMovie> {
  const beginning = picture?.isStill
    ? ['-show_frames', '-read_intervals', '%+#1']
    : ['-show_packets', '-read_intervals', `%+#${mostProbedPackets}`];
  const probe = await runTool('ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-select_streams', 'v'],
    ...[...beginning, ...inputArguments(path, picture?.demuxer ?? null)],
  ]);
  if (probe.exitCode !== 0) throw unreadableMovie(path, lastLine(probe.errors, path) || 'ffprobe fails');
  return probedOf(probe.output);
}

/** @throws SyntaxError, ZodError: ffprobe answered something else */
export function probedOf(output: string): ProbedMovie {
  const { packets, frames, streams, format } = answer.parse(JSON.parse(output));
  const pictures = streams.flatMap((stream) => pictureOf(stream) ?? []);
  const besideOf = (index: number) =>
    frames.flatMap((frame) => (frame.stream_index === index ? frame.side_data_list : []));
  return {
    pictures: pictures.map((picture) => ({
      ...picture,
      side_data_list: [...picture.side_data_list, ...besideOf(picture.index)],
    })),
    container: format.format_name,
    packets,
    startSeconds: format.start_time,
  };
}

/** Null: it is not a picture stream. */
function pictureOf(stream: unknown): ProbedPicture | null {
  const { data } = picture.safeParse(stream);
  if (!data) return null;
  return data.duration_ts === unknownTicks ? { ...data, duration: null } : data;
}
