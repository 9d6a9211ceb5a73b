import { z } from 'zod';
import type { ColumnRole } from '../facts/column';
import type { LossStage } from '../facts/loss';
import type { Row } from '../facts/row';
import type { SpoiltFigure } from '../facts/spoilt';
import type { Verdict } from '../facts/verdict';
import type { CommandReply } from './command-table';
import type { ClipProgress } from './content-battery';
import type { Problem } from './errors';
import type { FieldSchema } from './field-schema';
import type { LoadSample } from './load';
import type { NmosMessage } from './nmos';
import type { NmosNodeView } from './nmos-node';
import type { FrameFormat, Reads } from './records';
import type { Session } from './session';
import type { LoadedTransport } from './transports';

/**
 * What the engine tells a window, over one MessagePort, beside the answers to the window's commands (console-commands.ts).
 */

/** What a window may do: a page of `whiteline serve` by the token in its address, any other one all. */
export type ServedRight = 'operate' | 'look';

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

/** What an operator calls a stream. */
export const streamLabelSchema = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}]*$/u);

/**
 * One stream as a strip shows it. Counts run from the end of its warm-up to one second ago; null: nothing was counted yet, or
 * it is not measured.
 */
export interface StreamView extends Readonly<Record<SpoiltFigure, number | null>> {
  id: number;
  name: string;
  /** The name that its sender was given or is followed by, which stays when an operator calls the stream something else. */
  ndiName: string;
  state: StreamState;
  /** What the state means here and what usually causes it. */
  stateText: string;
  remedy: string;
  width: number;
  height: number;
  framesPerSecond: number;
  /** How its pictures come; null before the first. */
  frameFormat: FrameFormat | null;
  /** What is particular about how its movie is played; empty: nothing, or it is played elsewhere. */
  sourceRemarks: readonly string[];
  framesSubmitted: number | null;
  framesReceived: number | null;
  framesDropped: number | null;
  framesSenderMissed: number | null;
  framesLateSource: number | null;
  framesLateSourceDisk: number | null;
  framesLateSourceDecode: number | null;
  framesLateSourceDamaged: number | null;
  framesDuplicated: number | null;
  framesReordered: number | null;
  framesUndecodable: number | null;
  /** Lost (dropped, undecodable or spoilt): in the newest full second, and since the warm-up. */
  lostNow: number | null;
  lostTotal: number | null;
  /** Why losses were not measured, or not all the time; empty if they were. */
  lossesNotMeasured: string;
  /** Up to when it is counted, wall time; null before there is anything. */
  countedTo: string | null;
  /** Estimates by the rate, beside those that were counted: of the same times; null if there was no outage. */
  lostNowInOutage: number | null;
  framesInOutages: number | null;
  deliveredFps: number | null;
  latencyP50Ms: number | null;
  latencyP99Ms: number | null;
  longestGapMs: number | null;
  codeHealthMin: number | null;
  connectMs: number | null;
  bitrateMbps: number | null;
  /** The sender is none of this console's. */
  isSenderRemote: boolean;
  /** Names of the machines of the fleet on which this console has it sent and received; null: this machine, or not by this console. */
  sentFrom: string | null;
  receivedOn: string | null;
  /** How the frames are followed; timestamps: a sender without our code, of which only `framesMissing` is reported. */
  method: 'frame-code' | 'timestamps';
  framesMissing: number | null;
  /** The newest loss in words, or empty. */
  lastLoss: string;
  /**
   * Where it was; sender: the frames were never submitted, and are not among the lost ones; outage: no picture came, and no frame number
   * gives its cost. Null: there was none.
   */
  lastLossStage: LossStage | 'outage' | null;
  /** How long it has lasted, if it is an outage; otherwise null. */
  lastOutageMs: number | null;
  latencyUncertaintyMs: number | null;
  audioOffsetMs: number | null;
  /** The loudest sample of the newest quarter of a second, over all channels; null: no sound came. */
  audioPeakDbfs: number | null;
  audioBlocksMissing: number | null;
  /** Of the frames that a display window had to show so far; null if none shows the stream. */
  framesDisplayMissed: number | null;
  framesDisplayMissedDelivery: number | null;
  framesDisplayMissedUpload: number | null;
  /** Null also where the browser does not report what it presented. */
  framesDisplayMissedPresentation: number | null;
  displayTicksMissed: number | null;
  /** How long the last interruption lasted, until video came back; null before there was one. */
  recoveredAfterMs: number | null;
  verdict: Verdict | null;
  reason: string;
}

/** What an experiment with streams is doing. */
export type StreamPhase = 'baseline' | 'connecting' | 'warm-up' | 'measuring' | 'draining';

export interface Progress {
  /** What is being done: one of the known phases, or words of the experiment's own. */
  phase: StreamPhase | (string & {});
  /** Which of several machines that measure at once does that. */
  machine?: string;
  /** Of how many steps, such as rows or repeats, this is which; 0: before the first. */
  step: number;
  steps: number;
  phaseSeconds: number;
  phaseElapsedSeconds: number;
  remainingSeconds: number;
  /** Of the remaining time, what comes after this phase, which may take longer than expected. */
  laterSeconds?: number;
  /** Why the remaining time has risen, such as a row that is repeated. */
  note?: string | undefined;
}

/** Causes that may come over several streams at once; their alerts are shown as one. */
export type SharedCause = 'outage' | 'capture-log';

export interface Alert extends Problem {
  /** A new alert of the same key replaces the old one. */
  key: string;
  severity: 'error' | 'warning' | 'info';
  /** When its cause began, ms since 1970. */
  sinceMs: number;
  /** When its cause was over, ms since 1970: it then says what happened, and asks for nothing any more. */
  untilMs?: number;
  /** Output of a program. Operators do not need it to act. */
  details?: string;
  cause?: SharedCause;
  /** With a cause: the run that it happened in, counted since the engine started. Causes are shared within one run only. */
  run?: number;
  /** Name of the stream that it is about. */
  stream?: string;
}

/**
 * What is done for a stream that was asked for, before it is there. opening: this machine is read, and the source opened;
 * baseline: this machine is measured without a stream; connecting: the stream itself.
 */
export type AddingPhase = 'opening' | 'baseline' | 'connecting';

/** What is being played. */
export interface SourceView {
  text: string;
  width: number;
  height: number;
  framesPerSecond: number;
  /** Of a Hap movie on disk: how fast it is read, and how fast it has to be read; null for other sources. */
  diskRateMBps: number | null;
  neededDiskRateMBps: number | null;
  reads: Reads | null;
  /** Pictures that could not be read or decoded since the start. */
  damagedPictures: number;
}

export interface EngineState {
  mode: 'idle' | 'live' | 'experiment' | 'stopping';
  transport: LoadedTransport | null;
  /** Loading it is still under way. */
  transportLoading: boolean;
  /** Changes whenever the receiving host is a new process, so that a window asks for a new preview port. */
  receivingHost: number;
  /** The same for the sending host and the port for textures. */
  sendingHost: number;
  machine: { hostName: string; cpuModel: string; cores: number };
  source: SourceView | null;
  streams: StreamView[];
  /** Null: no stream is being added. */
  adding: AddingPhase | null;
  run: {
    id: string;
    experiment: string;
    folder: string;
    title: string;
    verdict: Verdict | null;
    reason: string;
  } | null;
  /** The newest plan that was run; absent before there was one. */
  session?: Session;
  /** Name of the session of which the next live run or experiment will be. */
  consoleSession: string;
  progress: Progress | null;
  /** Time without a frame lost or missed in the newest live run, now and at most; null: nothing was counted in it. */
  cleanTime: { nowMs: number; longestMs: number } | null;
  /** A clip of the content battery that is being made. */
  making: ClipProgress | null;
  /** Name of the profile of thresholds that counts if none is chosen; null: it cannot be read. */
  thresholdProfile: string | null;
  /** The console as a node of NMOS. */
  nmosNode: NmosNodeView;
  alerts: Alert[];
}

/** An NDI source on the network. */
export interface LiveSource {
  /** NDI's full name, "MACHINE (name)". */
  name: string;
  /** "address:port", as many as discovery reports. */
  addresses: string[];
  /** own: sent by this console. The others by their name alone until they are followed. */
  sender: 'own' | 'whiteline' | 'other';
  /** Null until the source was followed: its size and its sender are unknown. */
  format: { width: number; height: number; framesPerSecond: number } | null;
}

/**
 * Whether small pictures come of streams that another machine receives. behind: the bus is busy with records, which go first. silent:
 * the machine does not answer, or not as it should. gone: its process has ended, or it is out of reach for good.
 */
export type PreviewsState = 'open' | 'behind' | 'silent' | 'gone';

/** A mark in the charts: a stream was added or removed, or the operator set a marker. */
export interface StreamMark {
  kind: 'stream' | 'marker';
  /** Wall clock, ms since 1970. */
  wallMs: number;
  streams: number;
  label: string;
}

/** Frames lost in one second over all streams, for the chart; null: no stream was followed. */
export interface LossSample {
  wallMs: number;
  lostPerSecond: number | null;
}

/** An experiment as forms, lists and plans know it. */
export interface ExperimentOffer {
  id: string;
  title: string;
  purpose: string;
  study: string;
  /** JSON Schema; `properties` are in the order of a form. */
  parameters: FieldSchema;
  columns: { metric: string; role: ColumnRole; heading: string; unit: string; digits: number }[];
  usesStreams: boolean;
  /** What it needs with its default parameters. `missing`: null if it is met, otherwise how to get it. */
  requirements: { name: string; missing: string | null }[];
}

/** A movie as it would be sent. */
export interface MovieFigures {
  width: number;
  height: number;
  framesPerSecond: number;
  codec: string;
  /** Null: its file does not say it. */
  durationSeconds: number | null;
}

/** Of a source that can be played: what is particular about how it would be. */
export interface PlayedSource {
  source: string;
  remarks: readonly string[];
  /** Null: it is made by Whiteline. */
  movie: MovieFigures | null;
}

/** What the engine tells windows unasked. */
export type EngineNews =
  | { type: 'state'; state: EngineState }
  | { type: 'samples'; samples: LoadSample[]; losses: LossSample[] }
  | { type: 'marks'; marks: StreamMark[] }
  /**
   * Rows of the newest run from index `from` on, the open live row included (`provisional`: its index, or null). Those
   * before are as they were reported.
   */
  | { type: 'rows'; from: number; rows: Row[]; provisional: number | null }
  /** Of a stream that another machine receives, before the answer to `previewElsewhere`. */
  | PreviewMessage
  | NmosMessage;

export type EngineMessage = CommandReply | EngineNews;

/** Previews: renderer ↔ receiving stream host, over a port of their own. */

/** Of each stream in the list: two for each beat of the records, since the receiving process seldom wakes up for a preview alone then. */
export const listPreviewsRateHz = 8;

const previewSubscriptionSchema = z.object({
  type: z.literal('subscribe'),
  rateHz: z.number().min(0).max(60),
  /** Those that the window shows from now on; of others it gets no previews. */
  streams: z.array(z.object({ streamId: z.int().positive(), maxWidth: z.int().min(16).max(3840) })).max(1000),
});
export type PreviewSubscription = z.infer<typeof previewSubscriptionSchema>;

export const previewRequestSchema = z.discriminatedUnion('type', [
  previewSubscriptionSchema,
  /** A preview that was to be confirmed has come: more of its stream may. A window that cannot follow is not buried under them. */
  z.object({ type: z.literal('confirmed'), streamId: z.int().positive() }),
]);
export type PreviewRequest = z.infer<typeof previewRequestSchema>;

export interface PreviewMessage {
  type: 'preview';
  streamId: number;
  width: number;
  height: number;
  frameNumber: number;
  /** The window answers `confirmed`; no preview of this stream comes before. */
  confirm: boolean;
  /** RGBA, 8 bits, tightly packed. */
  pixels: Uint8ClampedArray;
}
