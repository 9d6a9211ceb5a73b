import { badInput } from './errors';
import type { PixelFormat, Reads } from './records';

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

/** What is asked to be played. */
export interface SourceSettings {
  source: string;
  format: string;
  scale?: string;
  rate?: string;
  startFrame?: number;
  preload?: boolean;
  reads?: Reads;
  pixelFormat: PixelFormat;
}

const settingKeys = [
  ...(['source', 'format', 'scale', 'rate'] as const),
  ...(['startFrame', 'preload', 'reads', 'pixelFormat'] as const),
] satisfies (keyof SourceSettings)[];

/** Those that are set, without what else an object of them has, such as the parameters of an experiment. */
export function settingsAlone({
  source,
  format,
  scale,
  rate,
  startFrame,
  preload,
  reads,
  pixelFormat,
}: SourceSettings): SourceSettings {
  return {
    ...{ source, format, pixelFormat },
    ...(scale !== undefined && { scale }),
    ...(rate !== undefined && { rate }),
    ...(startFrame !== undefined && { startFrame }),
    ...(preload !== undefined && { preload }),
    ...(reads !== undefined && { reads }),
  };
}

export function sameSettings(one: SourceSettings, other: SourceSettings): boolean {
  return settingKeys.every((key) => one[key] === other[key]);
}
