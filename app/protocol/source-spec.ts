import { badInput } from './errors';

/** What is played: a picture made by the app, or a movie file. */
export type SourceSpec = { kind: 'white-line' } | { kind: 'noise' } | { kind: 'movie'; path: string };

/** A word stands for a generated source, everything else is the path of a movie. */
export function parseSource(text: string, field = 'source'): SourceSpec {
  const trimmed = text.trim();
  if (trimmed === 'white-line' || trimmed === 'noise') return { kind: trimmed };
  if (trimmed === '') throw badInput(field, 'white-line, noise or the path of a movie', text);
  return { kind: 'movie', path: trimmed };
}

export function sourceText(source: SourceSpec): string {
  return source.kind === 'movie' ? source.path : source.kind;
}
