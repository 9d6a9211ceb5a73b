import { z } from 'zod';
import { parseFormat, parseRate, parseSize } from './format';
import { parsedBy } from './parsed-by';
import { readModes } from './records';
import { parseSource } from './source-spec';

/** Characters of the NDI name of streams. */
export const mostNameLength = 60;

/** Parameters of every experiment with streams. */
export const streamFields = {
  source: z
    .string()
    .superRefine(parsedBy((text) => parseSource(text)))
    .default('white-line')
    .describe('What is played: white-line, noise, or the path of a movie'),
  format: z
    .string()
    .superRefine(parsedBy((text) => parseFormat(text)))
    .default('1280x720@60')
    .describe('Picture and rate of a generated source, for example 1920x1080@59.94; a movie has its own'),
  pixelFormat: z.enum(['uyvy', 'bgra']).default('uyvy').describe('How pictures are handed to NDI'),
  name: z
    .string()
    .min(1)
    .max(mostNameLength)
    .default('Whiteline')
    .describe('NDI name of the streams; a number follows it'),
  audio: z
    .boolean()
    .default(true)
    .describe(
      'Sends sound along, with a tone burst once a second, so that sound against picture is measured',
    ),
  holdSeconds: z.number().min(0.5).max(86400).default(30).describe('Measured time of each row, s'),
  warmUpSeconds: z
    .number()
    .min(0.2)
    .max(600)
    .default(2)
    .describe('Time from a stream’s first frame to its row, s'),
};

const machineName = z.string().min(1).max(63).optional();

/** On which machines of the fleet the two ends of streams run. */
export const placeFields = {
  sendOn: machineName.describe('Machine of the fleet that sends; default: this one'),
  receiveOn: machineName.describe('Machine of the fleet that receives; default: this one'),
};

const placesSchema = z.object(placeFields);
export type EndPlaces = z.infer<typeof placesSchema>;

/** Of the parameters of any experiment, which were checked. */
export function placesOf(parameters: Readonly<Record<string, unknown>>): EndPlaces {
  return placesSchema.parse(parameters);
}

/** No movie's index holds more; source: native/media/hap/movie_index.h. */
const mostMovieFrames = 4_000_000;

/** How a movie is played. */
export const movieFields = {
  scale: z
    .string()
    .superRefine(parsedBy((text) => parseSize(text, 'scale')))
    .optional()
    .describe('Resizes a movie, for example 1280x720; ffmpeg does it, for a Hap movie too; default: its own'),
  rate: z
    .string()
    .superRefine(parsedBy((text) => parseRate(text)))
    .optional()
    .describe(
      'Sends a movie at this frame rate, for example 59.94 or 60000/1001; it keeps its speed: frames are repeated or ' +
        'left out; default: its own',
    ),
  startFrame: z
    .int()
    .min(0)
    .max(mostMovieFrames - 1)
    .optional()
    .describe('Frame of a Hap movie that is sent first; default: 0'),
  preload: z.boolean().optional().describe('Reads a Hap movie into memory before it is sent'),
  reads: z
    .enum(readModes)
    .optional()
    .describe(
      'How Hap movies are read: cached, or direct, past the page cache, which hides a slow disk; default: cached',
    ),
};

/** What a stream plays that an operator adds. */
export const streamSourceSchema = z.strictObject({
  source: streamFields.source,
  format: streamFields.format,
  ...movieFields,
  pixelFormat: streamFields.pixelFormat,
  ...placeFields,
});
