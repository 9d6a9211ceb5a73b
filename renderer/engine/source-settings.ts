import { z } from 'zod';
import { create } from 'zustand';
import type { BatteryFile } from '../../app/protocol/content-battery';
import type { StreamLoadParameters } from '../../app/protocol/experiments/stream-load';
import { streamLoadParameters } from '../../app/protocol/experiments/stream-load';

export type SourceKind = 'white-line' | 'noise' | 'movie' | 'clip' | 'live';

export interface BatteryClipFile extends BatteryFile {
  /** The clip that it is of. */
  name: string;
}

/** Numbers stay as typed, so that a half-typed one is not thrown away. */
export interface SourceSettings {
  kind: SourceKind;
  moviePath: string | null;
  /** Of the content battery. */
  clip: BatteryClipFile | null;
  format: string;
  maxStreams: string;
  holdSeconds: string;
  warmUpSeconds: string;
  audio: boolean;
  /** Profile of thresholds of a ramp; null: that of the settings. */
  thresholds: string | null;
  /** What the engine says against a value, under the parameter's name. */
  problems: Record<string, string>;
}

// The window's security policy forbids code made at run time, which zod would otherwise try.
z.config({ jitless: true });
const defaults = streamLoadParameters.parse({});

export const useSettings = create<SourceSettings>(() => ({
  kind: 'white-line',
  moviePath: null,
  clip: null,
  format: defaults.format,
  maxStreams: String(defaults.maxStreams),
  holdSeconds: String(defaults.holdSeconds),
  warmUpSeconds: String(defaults.warmUpSeconds),
  audio: defaults.audio,
  thresholds: null,
  problems: {},
}));

export function playMovie(moviePath: string): void {
  useSettings.setState({ kind: 'movie', moviePath });
}

export function playClip(clip: BatteryClipFile): void {
  useSettings.setState({ kind: 'clip', clip });
}

/** As the engine takes it; empty while a file is yet to be chosen, and where nothing is played here. */
export function sourceOf({ kind, moviePath, clip }: SourceSettings): string {
  if (kind === 'live') return '';
  if (kind === 'movie') return moviePath ?? '';
  return kind === 'clip' ? (clip?.path ?? '') : kind;
}

/** The parameters as typed; whether they are right is for the engine to say. */
export function parametersOf(settings: SourceSettings): StreamLoadParameters {
  const { format, maxStreams, holdSeconds, warmUpSeconds, audio } = settings;
  return {
    ...defaults,
    source: sourceOf(settings),
    format,
    maxStreams: Number(maxStreams),
    holdSeconds: Number(holdSeconds),
    warmUpSeconds: Number(warmUpSeconds),
    audio,
  };
}
