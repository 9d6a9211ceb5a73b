import { z } from 'zod';
import { plainLine } from '../plain-text';

/** Names of the movies that an agent offers: each is below one of the folders that its user gave. */

/** The folder of a show has some dozens. */
export const mostMovies = 500;
/** Of a source; characters. */
export const longestMovieName = 400;
/** Characters of all names together: in UTF-8 at most 300 kB, and a message has 512. */
export const longestMovieList = 100_000;

/** It names a file below a folder, in one way alone, and shows all of itself. */
export function isMovieName(name: string): boolean {
  const isShown = plainLine(name) === name && name.trim() === name && !name.includes('\\');
  const isBelow = name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return isShown && isBelow && name.length <= longestMovieName;
}

export const movieListSchema = z
  .object({
    /** Its user gave it a folder. */
    hasFolders: z.boolean(),
    names: z
      .array(z.string().refine(isMovieName, 'Expected the name of a movie below a folder'))
      .max(mostMovies),
    /** Files that end as movies do, beside those that are named. */
    more: z.int().nonnegative().max(1_000_000),
    /** False: the folders were not read to their end. */
    isWhole: z.boolean(),
  })
  .refine(
    ({ names }) => names.reduce((sum, { length }) => sum + length, 0) <= longestMovieList,
    `Expected names of at most ${longestMovieList} characters together`,
  );

export type MovieList = z.output<typeof movieListSchema>;
