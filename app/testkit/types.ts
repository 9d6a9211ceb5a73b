/** What tests give to the package and get from it, as plain data. docs/testkit.md says what each option does. */

export type Verdict = 'PASS' | 'WARN' | 'INVALID' | 'FAIL';

/** frame-code: each frame is counted by the code in its picture. timestamps: the pictures carry no frame code. */
export type Method = 'frame-code' | 'timestamps';

/** A finding: a code with its figures and names. Null: not measured. */
export interface Fact {
  code: string;
  data: Record<string, number | string | boolean | null>;
}

/** Consecutive frames that were lost. */
export interface Loss {
  /** Where they were lost; for a frame that arrived spoilt, what is wrong with it. */
  stage: string;
  firstFrame: number;
  lastFrame: number;
  frames: number;
  /** ISO 8601 wall time. */
  startedAt: string;
  endedAt: string;
  /** What is known about the cause. */
  causes: Fact[];
  /** What happened and why, as one sentence. */
  text: string;
}

/** A time without pictures. Frame numbers do not tell how many frames it cost. */
export interface Outage {
  startedAt: string;
  /** Null: it is not over. */
  endedAt: string | null;
  seconds: number;
  /** Estimated from the frame rate; null if that is not known. */
  framesEstimated: number | null;
  text: string;
}

/** A time without a new picture that was as long as a stall, and is over. */
export interface Silence {
  /** ISO 8601 wall time; perhaps before the mark. */
  startedAt: string;
  endedAt: string;
}

/** Something that happened, as the run recorded it. */
export interface StreamEvent {
  /** ISO 8601 wall time. */
  at: string;
  kind: string;
  text: string;
  details: Record<string, unknown>;
}

/** Null: not measured; the row's `notMeasured` has the reason. */
export type Figure =
  | number
  | string
  | boolean
  | null
  | { firstBin: number; counts: number[] }
  | { points: [number, number][] }
  | { ranges: [number, number][] };

/** By metric id: docs/metrics.md. */
export type Figures = Readonly<Record<string, Figure>>;

/** Up to ten seconds of a stream, measured and judged. */
export interface Row {
  from: string;
  to: string | null;
  verdict: Verdict | null;
  reason: readonly Fact[];
  figures: Figures;
  notMeasured: Readonly<Record<string, string>>;
}

/** A source while the output of a mixer showed it. */
export interface Shown {
  sourceId: number;
  /** Null: not known. */
  name: string | null;
  /** Its own frame numbers. */
  firstFrame: number;
  lastFrame: number;
  seconds: number;
  frames: number;
  lost: number;
  repeated: number;
  reordered: number;
  spoilt: number;
}

/** A change of the source that the output of a mixer shows. */
export interface Cut {
  /** When the first picture of the next source arrived, ISO 8601 wall time. */
  at: string;
  programmeFrame: number;
  from: Shown;
  to: Pick<Shown, 'sourceId' | 'name' | 'firstFrame'>;
  /** Pictures at the cut that did not arrive, arrived twice, show both sources, or are torn. */
  missing: number;
  /** Pictures around the cut arrived too irregularly: `missing` is an estimate. */
  isEstimate: boolean;
  repeated: number;
  mixed: number;
  torn: number;
}

/** What was measured of a stream since its mark. */
export interface Measurement {
  /** The exact name of the source. */
  source: string;
  method: Method;
  /** ISO 8601 wall time. */
  from: string;
  to: string;
  seconds: number;
  /** Null: pictures came up to the end; otherwise what the stream was doing then, in words. */
  standstill: string | null;
  rows: Row[];
  losses: Loss[];
  outages: Outage[];
  /** Each whole, over the ends of rows; a sender without our code may mean them. */
  silences: Silence[];
  events: StreamEvent[];
  /** Of a programme, its last cut before the mark; null: none was seen. */
  cutBefore: Cut | null;
}

/** What a stream lost between the rows of a run: no row counts it. */
export interface LostBetweenRows {
  /** Name of the stream. */
  stream: string;
  /** The time between the rows, ISO 8601 wall time. */
  from: string;
  to: string;
  frames: number;
  losses: Loss[];
  outages: Outage[];
}

/** A recorded run; docs/schema/run.schema.json describes it. */
export interface RecordedRun {
  id: string;
  experiment: string;
  title: string;
  state: 'running' | 'finished' | 'aborted' | 'failed' | 'interrupted';
  startedAt: string;
  endedAt: string | null;
  parameters: Record<string, unknown>;
  verdict: Verdict | null;
  /** The one sentence that matters. */
  reason: string;
  rows: Row[];
  /** Of an experiment, in the order of time. */
  lostBetweenRows: LostBetweenRows[];
  events: StreamEvent[];
}

/** A refusal or a failure. The message says what is wrong and what to do. */
export interface WhitelineProblem extends Error {
  /** BAD_INPUT, NO_VIDEO, NDI_MISSING, ABORTED and so on: docs/testkit.md. */
  readonly code: string;
  readonly field?: string;
  readonly value?: string;
}

/** A length of time: seconds, or for example "500ms", "10s", "2m". */
export type Duration = number | string;

export interface WatchOptions {
  /** Connects to this host and port instead of looking the name up. */
  address?: string;
  /** Hosts to ask for their sources directly, if multicast does not reach them. */
  from?: readonly string[];
  /** How long the first picture may take; default: that of the thresholds, 10 s in `study`. */
  within?: Duration;
  /** Limits that decide the verdicts of rows: `study` (default), `flawless`, or the path of a YAML file. */
  thresholds?: string;
  /** True if the source is the output of a mixer that switches between several Whiteline sources. Default: false. */
  programme?: boolean;
  /** Names of the mixer's sources: they are watched too, so that each cut names its source. Not needed for sources that this process sends. */
  sources?: readonly string[];
  /** Folder to record the run into; default: none. */
  out?: string;
  /** Ends the watch. */
  signal?: AbortSignal;
}

export interface MeasureOptions {
  /** Goes on measuring for this long first; default: ends now. */
  for?: Duration;
}

/** A source that is watched. From before `watch` resolves until it is closed, each picture counts. */
export interface WatchedStream {
  /** The exact name of the source: "MACHINE (name)". */
  readonly name: string;
  readonly method: Method;
  /** Where the run is recorded; null: nowhere. */
  readonly folder: string | null;
  /** Of a programme, exact names of the sources that are known, by which its cuts are named. */
  readonly sources: readonly string[];
  /** What the stream is doing, such as "Receiving". */
  readonly state: string;
  /** Matchers and `measure` look only at what comes after this call. */
  mark(): Promise<void>;
  /** What was measured since the mark, or since the beginning if there is no mark. */
  measure(options?: MeasureOptions): Promise<Measurement>;
  /** Resolves with true once pictures arrive again, with false if none arrive in this time. */
  recovers(within: Duration): Promise<boolean>;
  /**
   * Cuts since the mark. Null if the source is not watched as a programme or carries no frame code. A cut is certain 2.5 s after it at
   * the latest, since a dissolve takes time: this waits that long, or until `areEnough` returns true.
   * @param within from now; later cuts are left out
   * @throws WhitelineProblem BAD_INPUT if sources that it shows send the same frames
   */
  cuts(within?: Duration, areEnough?: (cuts: readonly Cut[]) => boolean): Promise<Cut[] | null>;
  /** Writes an HTML report of the run so far into its folder. @returns its path @throws if the run is not recorded */
  report(): Promise<string>;
  /** Ends the watch. Resolves when its processes are gone. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SendOptions {
  /** NDI name; a number follows it. Default: Whiteline. */
  name?: string;
  /** How many streams; default: 1. */
  streams?: number;
  /** Gives each stream a source of its own, like separate cameras; default: all show the same frames. */
  ownSources?: boolean;
  /** Picture and rate of a generated source; default: 1280x720@60. */
  format?: string;
  /** Size to scale a movie to. */
  scale?: string;
  /** Frame rate to send a movie at. */
  rate?: string;
  /** First frame to send of a Hap movie. */
  startFrame?: number;
  /** Reads a Hap movie into memory before it is sent. */
  preload?: boolean;
  /** How a Hap movie is read; default: cached. */
  reads?: 'cached' | 'direct';
  /** Default: uyvy. */
  pixelFormat?: 'uyvy' | 'bgra';
  /** Sends sound along; default: true. */
  audio?: boolean;
  /** Folder to record the run into; default: none. */
  out?: string;
  /** Ends the sending. */
  signal?: AbortSignal;
}

/** Streams that are sent, each with a frame code in its pictures. */
export interface SentStreams {
  /** Names of the streams on this machine, in the order of the streams. */
  readonly names: readonly string[];
  /** Exact names of the sources: "MACHINE (name)". */
  readonly sources: readonly string[];
  readonly folder: string | null;
  /**
   * Puts faults into a stream, for example "skip:0-2; tear:30". Frame 0 is the one half a second from now.
   * @param stream its index; default: the newest
   */
  inject(faults: string, stream?: number): Promise<void>;
  /** Ends the sending. Resolves when its processes are gone. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** docs/plans.md describes it. */
export interface Plan {
  name: string;
  notes?: string;
  thresholds?: string;
  experiments: readonly {
    experiment: string;
    name?: string;
    parameters?: Readonly<Record<string, unknown>>;
    repeat?: number;
  }[];
}

export interface RunOptions {
  /** Folder of the session, with a folder for each run in it. */
  out: string;
  /** Ends the plan. What was measured is kept. */
  signal?: AbortSignal;
}

/** The result of a plan. */
export interface PlanResult {
  /** The worst verdict of its runs; null: no run reached one. */
  verdict: Verdict | null;
  reason: string;
  folder: string;
  runs: RecordedRun[];
}

export type Watch = (source: string, options?: WatchOptions) => Promise<WatchedStream>;
export type Send = (source?: string, options?: SendOptions) => Promise<SentStreams>;
