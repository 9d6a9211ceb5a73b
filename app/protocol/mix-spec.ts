import { badInput } from './errors';
import { formatText, parseFormat, type VideoFormat } from './format';
import { parseSource, type SourceSpec } from './source-spec';

/** One of several sources that are played side by side. */
export interface MixedSource {
  source: SourceSpec;
  /** Of a generated source its picture; of a movie the size and rate that it is sent at. Null: the default, or its own. */
  format: VideoFormat | null;
}

/** Parses "white-line 1280x720@60", "noise", "clip.mov" or "clip.mov 1280x720@30". */
export function parseMixedSource(text: string, field = 'mix'): MixedSource {
  const [, name = '', format] = /^(.*?)(?:\s+(\d+[x×]\d+@\S+))?$/is.exec(text.trim()) ?? [];
  const isHalf = /^(white-line|noise)\s/i.test(name) || /\.\w+\s+\d+[x×]\d+$/i.test(name);
  if (name === '' || isHalf) {
    const remedy = 'Use for example "noise 640x360@30"';
    throw badInput(field, 'a source, then its size and rate if they differ,', text, remedy);
  }
  return { source: parseSource(name, field), format: format ? parseFormat(format, field) : null };
}

export function mixedSourceText({ source, format }: MixedSource): string {
  const name = source.kind === 'movie' ? source.path : source.kind;
  return format ? `${name} ${formatText(format)}` : name;
}
