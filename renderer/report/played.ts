import { z } from 'zod';
import type { Run } from '../../app/facts/run';
import { fileName } from '../format';

/** A movie as a run's environment has it, where something is particular about how it was played. */
const playedMovie = z.object({ path: z.string(), remarks: z.array(z.string()).min(1) });

/** What is particular about how the movies of a run were played, movie by movie; empty: nothing. */
export function playedText({ source, sources = [source] }: Run['environment']): string {
  const movies = z.array(playedMovie.nullable().catch(null)).catch([]).parse(sources);
  const texts = movies.map((movie) => movie && `${fileName(movie.path)}: ${movie.remarks.join('; ')}`);
  return [...new Set(texts.filter((text) => text !== null))].join('. ');
}
