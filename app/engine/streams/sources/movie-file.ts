import { statSync } from 'node:fs';
import { badInput, WhitelineError } from '../../../protocol/errors';

/**
 * Looks whether there is a file at all, before anybody opens it.
 * @throws WhitelineError NOT_FOUND, BAD_INPUT (not a file), MOVIE_UNREADABLE (empty)
 */
export function requireMovieFile(path: string, field: string): void {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The movie ${path} does not exist or cannot be read`,
      field,
      value: path,
      remedy: field === 'source' ? 'Give the path of a movie, or white-line or noise' : 'Check the path',
    });
  }
  if (!stats.isFile()) throw badInput(field, 'the path of a movie file', path, 'Give the movie itself');
  if (stats.size === 0) throw unreadableMovie(path, 'the file is empty', undefined, field);
}

export function unreadableMovie(
  path: string,
  why: string,
  remedy = 'Choose a complete movie with a picture in it, for example a Hap .mov',
  field = 'source',
): WhitelineError {
  const message = `${path} cannot be played: ${why}`;
  return new WhitelineError({ code: 'MOVIE_UNREADABLE', message, field, value: path, remedy });
}
