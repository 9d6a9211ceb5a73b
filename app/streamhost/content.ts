import type { Addon, ContentAddon } from '../../native/addon/index';
import type { HostCommand } from '../protocol/host';
import type { ContentWriterOptions, ContentWriterStatus, MovieCheckStatus } from '../protocol/records';
import type { Jobs } from './jobs';
import { movieProblemOf } from './problem';

/** Movies inspected and clips made: none of it needs NDI. */

type CheckMovie = Extract<HostCommand, { name: 'checkMovie' }>;

/** @throws WhitelineError NOT_FOUND, MOVIE_UNREADABLE; a movie of another codec is an answer, not an error */
export async function checkMovie(
  jobs: Jobs,
  requestId: number,
  addon: Addon,
  { path, decode, reads = 'cached' }: CheckMovie,
): Promise<MovieCheckStatus> {
  const check = new addon.MovieCheck({ path, decode, reads });
  const status = await jobs.run<MovieCheckStatus>(requestId, check, {
    isOver: ({ state }) => state !== 'running',
    progressOf: ({ framesDecoded, facts }) => ({ framesDone: framesDecoded, frames: facts?.frames ?? 0 }),
  });
  const { problem } = status;
  if (problem && problem.code !== 'MOVIE_NOT_HAP') throw movieProblemOf(problem, path);
  return status;
}

export function writeContent(
  jobs: Jobs,
  requestId: number,
  addon: ContentAddon,
  options: ContentWriterOptions,
): Promise<ContentWriterStatus> {
  return jobs.run<ContentWriterStatus>(requestId, new addon.ContentWriter(options), {
    isOver: ({ state }) => state !== 'running',
    progressOf: ({ framesWritten }) => ({ framesDone: framesWritten, frames: options.frames }),
  });
}
