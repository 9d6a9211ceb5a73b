import { z } from 'zod';
import { badInput } from './errors';
import { parseFormat, parseRate, parseSize } from './format';
import { parsedBy } from './parsed-by';
import { readModes } from './records';
import { parseSource } from './source-spec';
import { mostNameLength, streamNameOf } from './stream-names';

/** Parameters of every experiment with streams. */
export const streamFields = {
  source: z
    .string()
    .superRefine(parsedBy((text) => parseSource(text)))
    .default('white-line')
    .describe('What is played: white-line, noise, or the path of a movie')
    .meta({ title: 'Source' }),
  format: z
    .string()
    .superRefine(parsedBy((text) => parseFormat(text)))
    .default('1280x720@60')
    .describe('Size and frame rate of a generated source, for example 1920x1080@59.94; a movie keeps its own')
    .meta({ title: 'Format, size@rate' }),
  pixelFormat: z
    .enum(['uyvy', 'bgra'])
    .default('uyvy')
    .describe('How pictures are handed to NDI')
    .meta({ title: 'Pixel format' }),
  name: z
    .string()
    .min(1, { abort: true })
    .max(mostNameLength, { abort: true })
    .superRefine(parsedBy(streamNameOf))
    .default('Whiteline')
    .describe('NDI name of the streams; a number follows it')
    .meta({ title: 'NDI name' }),
  audio: z
    .boolean()
    .default(true)
    .describe(
      'Also sends sound, with a tone burst once a second, to measure how far sound and picture are apart',
    )
    .meta({ title: 'Send sound' }),
  holdSeconds: z
    .number()
    .min(0.5)
    .max(86400)
    .default(30)
    .describe('Measured time of each row, s')
    .meta({ title: 'Measured time per row' }),
  warmUpSeconds: z
    .number()
    .min(0.2)
    .max(600)
    .default(2)
    .describe('Time between a stream’s first frame and the start of its row, s')
    .meta({ title: 'Warm-up per row' }),
};

/** The word for the console's own machine where several receive. */
export const thisMachine = 'this machine';

/** Of a row: it is not of another machine, measured side by side with this one. */
export function isOfThisMachine({ step: { machine } }: { step: Readonly<Record<string, unknown>> }): boolean {
  return machine === undefined || machine === thisMachine;
}

/** Each has a stream host of its own, and a lease that is renewed each second. */
export const mostMachines = 16;
const longestMachineName = 63;
export const machineNameSchema = z.string().min(1).max(longestMachineName);

/** On which machines of the fleet the two ends of streams run. */
export const placeFields = {
  sendOn: machineNameSchema
    .optional()
    .describe('Machine of the fleet that sends; default: this one')
    .meta({ title: 'Send from machine' }),
  receiveOn: z
    .string()
    .superRefine(parsedBy((text) => parseMachines(text)))
    .optional()
    .describe(
      'Machines of the fleet that receive, separated by commas; each next stream goes to the next one; "this machine" may be one of them; default: this one',
    )
    .meta({ title: 'Receive on machines' }),
};

/** On which machines of the fleet an experiment of one machine runs, side by side. */
export const onField = z
  .string()
  .superRefine(parsedBy((text) => machinesNamed(text)))
  .optional()
  .describe(
    'Machines of the fleet that are measured at the same time, separated by commas; "this machine" may be one of them; default: only this one',
  )
  .meta({ title: 'Machines' });

/** The machines that are measured, in their order. @throws WhitelineError BAD_INPUT */
export function machinesNamed(on: string): readonly MachineName[] {
  return parseMachines(on, {
    field: 'on',
    fewer: 'Name fewer, and measure the others afterwards',
    once: 'Leave the second one out',
  });
}

const placesSchema = z.object(placeFields);
/** As parameters have them. */
export type EndPlaces = z.infer<typeof placesSchema>;

/** Of the parameters of any experiment, which were checked. */
export function placesOf(parameters: Readonly<Record<string, unknown>>): EndPlaces {
  return placesSchema.parse(parameters);
}

/** A machine of the fleet by its name; undefined: this one. */
export type MachineName = string | undefined;

/**
 * The machines that receive, in their order, at least one: stream n is received on the one with the number (n − 1) mod their number.
 * @throws WhitelineError BAD_INPUT
 */
export function receiversOf({ receiveOn }: EndPlaces): readonly MachineName[] {
  return receiveOn === undefined ? [undefined] : parseMachines(receiveOn);
}

/** As a text that was chosen has them, whether or not they may stand there; null: none was chosen. */
export function receiverNames(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const ofReceivers = {
  field: 'receiveOn',
  fewer: 'Name fewer: a machine may receive several streams',
  once: 'Leave the second one out: streams come to each in turn',
};

function parseMachines(text: string, { field, fewer, once } = ofReceivers): MachineName[] {
  const names = text.split(',').map((name) => name.trim());
  const refused = (expected: string, value: string | number, remedy: string) =>
    badInput(field, expected, value, remedy);
  if (names.length > mostMachines)
    throw refused(`at most ${mostMachines} machines`, `${names.length} of them`, fewer);
  const bad = names.find((name) => name === '' || name.length > longestMachineName);
  if (bad !== undefined)
    throw refused(
      `names of 1 to ${longestMachineName} characters with a comma between each two`,
      bad === '' ? text : bad,
      'Use for example display-1,display-2',
    );
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw refused('each machine once', `${twice} twice`, once);
  const lower = names.map((name) => name.toLowerCase());
  const [second = ''] = names.filter((_, index) => lower.indexOf(lower[index] ?? '') < index);
  if (second !== '')
    throw refused(
      'names that differ by more than case',
      `${names[lower.indexOf(second.toLowerCase())]} and ${second}`,
      'Write each machine as whiteline fleet list shows it, once',
    );
  return names.map((name) => (name === thisMachine ? undefined : name));
}

/** No movie's index holds more; source: native/media/hap/movie_index.h. */
const mostMovieFrames = 4_000_000;

/** How a movie is played. */
export const movieFields = {
  scale: z
    .string()
    .superRefine(parsedBy((text) => parseSize(text, 'scale')))
    .optional()
    .describe(
      'Resizes a movie, for example 1280x720; ffmpeg does this, even for a Hap movie; default: the movie’s own size',
    )
    .meta({ title: 'Resize movie to' }),
  rate: z
    .string()
    .superRefine(parsedBy((text) => parseRate(text)))
    .optional()
    .describe(
      'Sends a movie at this frame rate, for example 59.94 or 60000/1001; it keeps its speed: frames are repeated or ' +
        'left out; default: its own',
    )
    .meta({ title: 'Movie frames per second' }),
  startFrame: z
    .int()
    .min(0)
    .max(mostMovieFrames - 1)
    .optional()
    .describe('Frame of a Hap movie that is sent first; default: 0')
    .meta({ title: 'First frame of the movie' }),
  preload: z
    .boolean()
    .optional()
    .describe('Reads a Hap movie into memory before it is sent')
    .meta({ title: 'Load movie into memory' }),
  reads: z
    .enum(readModes)
    .optional()
    .describe(
      'How Hap movies are read: cached; or direct, which bypasses the page cache, because the cache hides a slow disk; default: cached',
    )
    .meta({ title: 'How movies are read' }),
};

/** What a stream plays that an operator adds. */
export const streamSourceSchema = z.strictObject({
  source: streamFields.source,
  format: streamFields.format,
  ...movieFields,
  pixelFormat: streamFields.pixelFormat,
  name: streamFields.name,
  ...placeFields,
});
