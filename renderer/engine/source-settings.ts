import { z } from 'zod';
import { create } from 'zustand';
import type { StreamLoadParameters } from '../../app/protocol/stream-load';
import { streamLoadParameters } from '../../app/protocol/stream-load';

export type SourceKind = 'white-line' | 'noise' | 'movie';

/** Numbers stay as typed, so that a half-typed one is not thrown away. */
export interface SourceSettings {
  kind: SourceKind;
  moviePath: string | null;
  format: string;
  maxStreams: string;
  holdSeconds: string;
  warmUpSeconds: string;
  audio: boolean;
  /** What the engine says against a value, under the parameter's name. */
  problems: Record<string, string>;
}

// The window's security policy forbids code made at run time, which zod would otherwise try.
z.config({ jitless: true });
const defaults = streamLoadParameters.parse({});

export const useSettings = create<SourceSettings>(() => ({
  kind: 'white-line',
  moviePath: null,
  format: defaults.format,
  maxStreams: String(defaults.maxStreams),
  holdSeconds: String(defaults.holdSeconds),
  warmUpSeconds: String(defaults.warmUpSeconds),
  audio: defaults.audio,
  problems: {},
}));

export function playMovie(moviePath: string): void {
  useSettings.setState({ kind: 'movie', moviePath });
}

/** The parameters as typed; whether they are right is for the engine to say. */
export function parametersOf(settings: SourceSettings): StreamLoadParameters {
  const { kind, moviePath, format, maxStreams, holdSeconds, warmUpSeconds, audio } = settings;
  return {
    ...defaults,
    source: kind === 'movie' ? (moviePath ?? '') : kind,
    format,
    maxStreams: Number(maxStreams),
    holdSeconds: Number(holdSeconds),
    warmUpSeconds: Number(warmUpSeconds),
    audio,
  };
}
