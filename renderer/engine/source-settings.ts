import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { StreamLoadParameters } from '../../app/experiments/stream-load/declaration';
import { streamLoadParameters } from '../../app/experiments/stream-load/declaration';
import type { BatteryFile } from '../../app/protocol/content-battery';
import type { Problem } from '../../app/protocol/errors';
import type { MovieLook } from '../../app/protocol/fleet/movies';
import { numberOf } from '../forms/form-values';
import { problemsByField } from '../forms/use-check';
import { texts } from '../texts';
import { keptAs } from './kept-state';

export type SourceKind = 'white-line' | 'noise' | 'movie' | 'clip' | 'live';

export interface BatteryClipFile extends BatteryFile {
  /** The clip that it is of. */
  name: string;
}

export interface MachineMovie {
  machine: string;
  name: string;
  /** What its agent found out of it; absent: it is asked still. */
  look?: MovieLook | Problem;
}

/** One end of the streams. */
export type EndPlace = 'sendOn' | 'receiveOn';

/** Numbers stay as typed, so that a half-typed one is not thrown away. */
export interface SourceSettings {
  kind: SourceKind;
  moviePath: string | null;
  /** A movie that the agent of another machine offers, by its name there. */
  machineMovie: MachineMovie | null;
  /** Of the content battery. */
  clip: BatteryClipFile | null;
  format: string;
  /** What comes before the number in the NDI names of streams. */
  name: string;
  /** Names of the machines on which the ends run; null: this one. */
  sendOn: string | null;
  receiveOn: string | null;
  maxStreams: string;
  holdSeconds: string;
  warmUpSeconds: string;
  audio: boolean;
  /** Profile of thresholds of a ramp; null: that of the settings. */
  thresholds: string | null;
  /** What the engine says against a value, under the parameter's name. */
  problems: Record<string, string>;
  /** A start was refused for them; until the first wrong field has the focus. */
  isRefused: boolean;
}

type MovieSettings = Pick<SourceSettings, 'sendOn' | 'moviePath' | 'machineMovie'>;

// The window's security policy forbids code made at run time, which zod would otherwise try.
z.config({ jitless: true });
const defaults = streamLoadParameters.parse({});
const { maxStreams, holdSeconds, warmUpSeconds } = texts.ramp;
const labels: Record<string, string> = { maxStreams, holdSeconds, warmUpSeconds };
const parameterNames = Object.keys(streamLoadParameters.shape).map((name) => ({ name, label: labels[name] }));

const keptSchema = z.object({
  kind: z.enum(['white-line', 'noise', 'movie', 'clip', 'live']),
  moviePath: z.string().nullable(),
  /** Its agent may find something else there next time. */
  machineMovie: z.object({ machine: z.string(), name: z.string() }).nullable(),
  clip: z
    .object({
      ...{ name: z.string(), path: z.string(), format: z.string(), variant: z.string() },
      ...{ seconds: z.number(), chunks: z.number(), bytes: z.number() },
    })
    .nullable(),
  format: z.string(),
  name: z.string(),
  sendOn: z.string().nullable(),
  receiveOn: z.string().nullable(),
  maxStreams: z.string(),
  holdSeconds: z.string(),
  warmUpSeconds: z.string(),
  audio: z.boolean(),
  thresholds: z.string().nullable(),
});

/** Outlives the window and the app. */
export const useSettings = create<SourceSettings>()(
  persist(
    (): SourceSettings => ({
      kind: 'white-line',
      moviePath: null,
      machineMovie: null,
      clip: null,
      format: defaults.format,
      name: defaults.name,
      sendOn: null,
      receiveOn: null,
      maxStreams: String(defaults.maxStreams),
      holdSeconds: String(defaults.holdSeconds),
      warmUpSeconds: String(defaults.warmUpSeconds),
      audio: defaults.audio,
      thresholds: null,
      problems: {},
      isRefused: false,
    }),
    keptAs('whiteline-streams', keptSchema),
  ),
);

/** A movie of this machine, which alone can play it. */
export function playMovie(moviePath: string): void {
  useSettings.setState({ kind: 'movie', moviePath, sendOn: null });
}

/** A movie of another machine, which sends it. */
export function playMovieOf(machine: string, name: string): void {
  useSettings.setState({ kind: 'movie', machineMovie: { machine, name }, sendOn: machine });
}

export function playClip(clip: BatteryClipFile): void {
  useSettings.setState({ kind: 'clip', clip });
}

/** Of the machine that sends, as that one calls it; null: none is chosen yet. */
export function movieOf({ sendOn, moviePath, machineMovie }: MovieSettings): string | null {
  if (sendOn === null) return moviePath;
  return machineMovie?.machine === sendOn ? machineMovie.name : null;
}

/** As the engine takes it; empty while a file is yet to be chosen, and where nothing is played here. */
export function sourceOf(settings: SourceSettings): string {
  const { kind, clip, sendOn } = settings;
  if (kind === 'live') return '';
  if (kind === 'movie') return movieOf(settings) ?? '';
  if (kind === 'clip') return sendOn === null ? (clip?.path ?? '') : '';
  return kind;
}

/** What a source still lacks, in words; null if nothing is missing. */
export function missingOf(settings: SourceSettings): string | null {
  const { kind, clip, sendOn } = settings;
  if (kind === 'movie' && movieOf(settings) === null) return texts.source.noMovie;
  if (kind === 'clip' && sendOn !== null) return texts.picker.movies.noClip(sendOn);
  return kind === 'clip' && clip === null ? texts.source.noClip : null;
}

/** Fields of a ramp that hold a number. */
export const rampNumbers = ['maxStreams', 'holdSeconds', 'warmUpSeconds'] as const;
type RampNumber = (typeof rampNumbers)[number];

/** What is no number is handed on as it was typed. */
export type TypedParameters = Omit<StreamLoadParameters, RampNumber> & Record<RampNumber, number | string>;

/** The parameters as typed; whether they are right is for the engine to say. */
export function parametersOf(settings: SourceSettings): TypedParameters {
  const { format, name, sendOn, receiveOn, maxStreams, holdSeconds, warmUpSeconds, audio } = settings;
  return {
    ...defaults,
    source: sourceOf(settings),
    format,
    name,
    ...(sendOn !== null && { sendOn }),
    ...(receiveOn !== null && { receiveOn }),
    maxStreams: numberOf(maxStreams),
    holdSeconds: numberOf(holdSeconds),
    warmUpSeconds: numberOf(warmUpSeconds),
    audio,
  };
}

/** What the engine has against the form as it stands, under the parameters' names. */
export function problemsAt(problem: Problem | null, settings: SourceSettings): Record<string, string> {
  const { source, ...others } = Object.fromEntries(
    [...problemsByField(problem, parameterNames)].map(([field, { message }]) => [field, message]),
  );
  const missing = missingOf(settings);
  if (missing === null) return source === undefined ? others : { ...others, source };
  // A file that was not chosen yet is no mistake until it is needed; then it is one until it is chosen.
  return settings.problems.source === missing ? { ...others, source: missing } : others;
}
