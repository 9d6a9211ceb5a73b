import { z } from 'zod';
import { WhitelineError } from './errors';
import { parseFormat, parseRate, parseSize } from './format';
import { parseSource } from './source-spec';

/** Lets zod report our own sentence for a value that one of our parsers refuses. */
function parsedBy(parse: (text: string) => unknown) {
  return (text: string, context: z.RefinementCtx): void => {
    try {
      parse(text);
    } catch (error) {
      if (!(error instanceof WhitelineError)) throw error;
      context.addIssue({
        code: 'custom',
        message: error.remedy ? `${error.message}. ${error.remedy}` : error.message,
      });
    }
  };
}

/** No movie's index holds more; source: native/core/hap/movie_index.h. */
const mostMovieFrames = 4_000_000;

/** Parameters of the `stream-load` experiment: the form, the command line's flags and the run file come from here. */
export const streamLoadParameters = z.strictObject({
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
  scale: z
    .string()
    .superRefine(parsedBy((text) => parseSize(text, 'scale')))
    .optional()
    .describe('Resizes a movie, for example 1280x720; ffmpeg does it, for a Hap movie too'),
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
  pixelFormat: z.enum(['uyvy', 'bgra']).default('uyvy').describe('How pictures are handed to NDI'),
  name: z
    .string()
    .min(1)
    .max(60)
    .default('Whiteline')
    .describe('NDI name of the streams; a number follows it'),
  maxStreams: z.int().min(1).max(64).default(4).describe('Streams of the last row'),
  goal: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('Streams that must be carried for the run to pass; default: all'),
  holdSeconds: z.number().min(0.5).max(86400).default(10).describe('Measured time of each row, s'),
  warmUpSeconds: z
    .number()
    .min(0.2)
    .max(600)
    .default(2)
    .describe('Time from a stream’s first frame to its row, s'),
  inject: z
    .string()
    .optional()
    .describe(
      'Faults put in on purpose, for example "miss:10-14; skip:100-104; stall:300-360", counted from the first measured slot',
    ),
  audio: z
    .boolean()
    .default(true)
    .describe(
      'Sends sound along, with a tone burst once a second, so that sound against picture is measured',
    ),
});

export type StreamLoadParameters = z.infer<typeof streamLoadParameters>;
