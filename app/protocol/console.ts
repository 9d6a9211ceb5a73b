import { z } from 'zod';
import type { Problem } from './errors';
import type { LoadSample } from './load';
import type { Row } from './row';
import { streamLoadParameters } from './stream-load';
import type { Verdict } from './verdict';

/**
 * What passes between a window and the engine, over one MessagePort.
 * The window sends `ConsoleRequest`s; the engine answers each with one `reply` and pushes the rest unasked.
 */

const streamSource = streamLoadParameters.pick({
  source: true,
  format: true,
  scale: true,
  rate: true,
  startFrame: true,
  preload: true,
  pixelFormat: true,
});

const commandSchema = z.discriminatedUnion('name', [
  /** Everything there is to show; sent first, and after a reload. */
  z.object({ name: z.literal('hello') }),
  /** Adds one stream of this source; the first one opens the source and a live run. */
  z.object({ name: z.literal('addStream'), parameters: streamSource }),
  /** Removes a stream, the newest without an id. */
  z.object({ name: z.literal('removeStream'), streamId: z.int().positive().optional() }),
  z.object({ name: z.literal('startRamp'), parameters: streamLoadParameters }),
  /** Ends the ramp, or removes all streams and ends the live run. What was measured stays. */
  z.object({ name: z.literal('stop') }),
  /** Checks a value of a form while it is typed; replies with nothing or the problem. */
  z.object({ name: z.literal('checkParameters'), parameters: z.record(z.string(), z.unknown()) }),
  /** Writes the newest run as one HTML file, as JSON or as CSV. */
  z.object({ name: z.literal('export'), kind: z.enum(['html', 'json', 'csv']), path: z.string().min(1) }),
  z.object({ name: z.literal('dismissAlert'), key: z.string() }),
]);

export type Command = z.infer<typeof commandSchema>;

export const consoleRequestSchema = z.object({
  type: z.literal('request'),
  requestId: z.int(),
  command: commandSchema,
});
export type ConsoleRequest = z.infer<typeof consoleRequestSchema>;

export type StreamState =
  | 'searching'
  | 'connecting'
  | 'warming-up'
  | 'receiving'
  | 'stalled'
  | 'undecodable'
  | 'wrong-source'
  | 'no-video'
  | 'sender-gone'
  | 'stale-entry'
  | 'removing';

/** One stream as a strip shows it. Counts run from the end of its warm-up to one second ago. */
export interface StreamView {
  id: number;
  name: string;
  state: StreamState;
  /** What the state means here and what usually causes it. */
  stateText: string;
  remedy: string;
  width: number;
  height: number;
  framesPerSecond: number;
  framesSubmitted: number;
  framesReceived: number;
  framesDropped: number;
  framesSenderMissed: number;
  framesLateSource: number;
  framesLateSourceDisk: number;
  framesLateSourceDecode: number;
  framesLateSourceDamaged: number;
  framesDuplicated: number;
  framesReordered: number;
  framesTorn: number;
  framesDamaged: number;
  framesUndecodable: number;
  /** Lost (dropped or undecodable): in the newest full second, and since the warm-up. */
  lostNow: number;
  lostTotal: number;
  deliveredFps: number | null;
  latencyP50Ms: number | null;
  latencyP99Ms: number | null;
  longestGapMs: number | null;
  codeHealthMin: number | null;
  connectMs: number | null;
  bitrateMbps: number | null;
  /** How the frames are followed; timestamps: a sender without our code, of which only `framesMissing` is told. */
  method: 'frame-code' | 'timestamps';
  framesMissing: number | null;
  /** The newest loss in words, or empty. */
  lastLoss: string;
  latencyUncertaintyMs: number | null;
  audioOffsetMs: number | null;
  audioBlocksMissing: number | null;
  /** How long the newest interruption lasted until video came back; null before there was one. */
  recoveredAfterMs: number | null;
  verdict: Verdict | null;
  reason: string;
}

export type RampPhase = 'baseline' | 'connecting' | 'warm-up' | 'measuring' | 'draining';

export interface Progress {
  phase: RampPhase;
  streams: number;
  maxStreams: number;
  phaseSeconds: number;
  phaseElapsedSeconds: number;
  remainingSeconds: number;
}

export interface Alert extends Problem {
  /** A new alert of the same key replaces the old one. */
  key: string;
  severity: 'error' | 'warning' | 'info';
}

/** What is being played. */
export interface SourceView {
  text: string;
  width: number;
  height: number;
  framesPerSecond: number;
  /** Of a Hap movie on disk: how fast it is read, and how fast it has to be read; null for other sources. */
  diskRateMBps: number | null;
  neededDiskRateMBps: number | null;
  /** Pictures that could not be read or decoded since the start. */
  damagedPictures: number;
}

export interface EngineState {
  mode: 'idle' | 'live' | 'ramp' | 'stopping';
  ndi: { version: string; path: string } | null;
  /** Loading NDI is still under way. */
  ndiLoading: boolean;
  /** Changes whenever the receiving host is a new process, so that a window asks for a new preview port. */
  receivingHost: number;
  /** The same of the sending host and the port for textures. */
  sendingHost: number;
  machine: { hostName: string; cpuModel: string; cores: number };
  source: SourceView | null;
  streams: StreamView[];
  run: { id: string; folder: string; title: string; verdict: Verdict | null; reason: string } | null;
  progress: Progress | null;
  alerts: Alert[];
}

/** A stream was added or removed: a mark in the charts. */
export interface StreamMark {
  /** Wall clock, ms since 1970. */
  wallMs: number;
  streams: number;
  label: string;
}

/** Frames lost in one second over all streams, for the chart. */
export interface LossSample {
  wallMs: number;
  lostPerSecond: number;
}

export type EngineMessage =
  | { type: 'reply'; requestId: number; problem: Problem | null }
  | { type: 'state'; state: EngineState }
  | { type: 'samples'; samples: LoadSample[]; losses: LossSample[] }
  | { type: 'marks'; marks: StreamMark[] }
  /** All rows of the newest run, the open live row included (`provisional`: its index, or null). */
  | { type: 'rows'; rows: Row[]; provisional: number | null };

/** Previews: renderer ↔ receiving stream host, over a port of their own. */
export const previewSubscriptionSchema = z.object({
  type: z.literal('subscribe'),
  rateHz: z.number().min(0).max(60),
  maxWidth: z.int().min(16).max(3840),
  /** One stream's previews may be wider than the others'. */
  large: z.object({ streamId: z.int().positive(), maxWidth: z.int().min(16).max(3840) }).optional(),
});
export type PreviewSubscription = z.infer<typeof previewSubscriptionSchema>;

export interface PreviewMessage {
  type: 'preview';
  streamId: number;
  width: number;
  height: number;
  frameNumber: number;
  /** RGBA, 8 bits, tightly packed. */
  pixels: Uint8ClampedArray;
}
