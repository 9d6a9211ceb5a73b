import { z } from 'zod';
import { checkRate, checkSize } from '../format';
import { parsedBy } from '../parsed-by';
import { plainLine, plainSentences } from '../plain-text';
import type { SourceSettings } from '../source-spec';
import { longestMovieName } from './movie-list';

/** Movies of an agent's machine: its own user says in which folders they are, and it opens and inspects them itself. */

const shortText = z.string().max(40);
const amount = z.number().nonnegative();
const line = (most: number) => z.string().max(most).transform(plainLine);

/** What every source has of a picture, as `OpenSource` does. */
export const pictureShape = {
  width: z.int(),
  height: z.int(),
  rateNumerator: z.int(),
  rateDenominator: z.int(),
  aspect: z.number().min(0.01).max(100).optional(),
  pixelFormat: z.enum(['uyvy', 'bgra']),
};

type Picture = z.output<z.ZodObject<typeof pictureShape>>;

/** Reports a size or a rate that cannot be played. */
export function checkPicture(
  { width, height, rateNumerator: numerator, rateDenominator: denominator }: Picture,
  context: z.RefinementCtx,
): void {
  const check = () => {
    checkSize(width, height, 'options', `${width}x${height}`);
    checkRate({ numerator, denominator }, 'options', `${numerator}/${denominator}`, 'Use for example 60/1');
  };
  parsedBy(check)('', context);
}

/** `source`: the name of a movie below one of the agent's folders. */
export const movieSettingsSchema: z.ZodType<SourceSettings> = z.strictObject({
  source: z.string().min(1).max(longestMovieName),
  format: shortText,
  scale: shortText.optional(),
  rate: shortText.optional(),
  startFrame: z.int().nonnegative().optional(),
  preload: z.boolean().optional(),
  reads: z.enum(['cached', 'direct']).optional(),
  pixelFormat: pictureShape.pixelFormat,
});

const movieKind = z.enum(['movie', 'hap']);

/** Of a movie, as a console asks for it: the agent chooses again by the settings, and takes no word for what the movie is. */
export const movieSourceSchema = z
  .strictObject({ kind: movieKind, ...pictureShape, elsewhere: movieSettingsSchema })
  .superRefine(checkPicture);

const mostFacts = 100;
export const movieFactSchema = z.union([
  line(1000),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([line(400), z.number()])).max(mostFacts),
]);

/** What the agent would open of a movie. */
export const movieChoiceSchema = z.object({
  picture: z.object({ kind: movieKind, ...pictureShape }).superRefine(checkPicture),
  neededDiskRateMBps: amount.nullable(),
  /** What it is and who plays it, for the run's events. */
  facts: z
    .record(z.string().max(60), movieFactSchema)
    .refine((facts) => Object.keys(facts).length <= mostFacts, `Expected at most ${mostFacts} facts`),
  remarks: z.array(z.string().max(400).transform(plainSentences)).max(20),
  movie: z.object({ codec: line(60), durationSeconds: amount.nullable() }),
});

/** What it is, without its bytes having been read. */
export const movieLookSchema = movieChoiceSchema.pick({ picture: true, remarks: true, movie: true });

export type MovieLook = z.output<typeof movieLookSchema>;
export type MovieChoice = z.output<typeof movieChoiceSchema>;
