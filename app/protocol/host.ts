import type { Problem } from './errors';
import type { NetworkInterfaceFacts } from './network-interface';
import type { ProcessorScoreStatus, WakeUpOptions, WakeUpRecords } from './processor';
import type { PackedRecords } from './record-block';
import type {
  AudioRecords,
  CaptureRecords,
  ClockRecords,
  ContentWriterOptions,
  ContentWriterStatus,
  DiscoveredSource,
  Fault,
  KeepPictures,
  KeptPictures,
  MissRecords,
  MovieCheckStatus,
  PixelFormat,
  QualityCheckOptions,
  QualityCheckStatus,
  Reads,
  ReceiverStatus,
  SourceRecords,
  SourceStatus,
  SubmitRecords,
} from './records';
import type { SharedLoad } from './shared-records';
import type { TrafficLook } from './socket-traffic';
import type { SourceSettings } from './source-spec';
import type { Standstill } from './standstill';
import type { ThreadPolicyFacts } from './thread-policy';
import type { LoadedTransport, TransportSettings } from './transports';

/**
 * What passes between the engine and a stream host. The engine asks, the host answers each request with one `reply`,
 * and a request that takes long with `progress` ten times a second until then; records come unasked, at each beat (beat.ts),
 * and once more before each reply.
 */

export interface OpenSource {
  kind: 'white-line' | 'noise' | 'movie' | 'hap';
  width: number;
  height: number;
  rateNumerator: number;
  rateDenominator: number;
  /** Width to height as the picture is to be shown; absent: its pixels are square. */
  aspect?: number;
  pixelFormat: PixelFormat;
  /** `hasAlpha`: its pictures are BGRA with straight alpha, which the host composes over the neutral grid.
   * `repeatedInput`: a file that its standard input is fed with, again and again. */
  command?: { file: string; arguments: string[]; hasAlpha?: boolean; repeatedInput?: string };
  hap?: { path: string; startFrame: number; preload: boolean; reads: Reads };
  /** Of a movie of another machine: its agent opens what it chooses for these settings itself, and neither `command` nor `hap` is set. */
  elsewhere?: SourceSettings;
}

/** What a host is started with. */
export interface HostStart {
  transport: TransportSettings;
  /** The transport's, as text, in place of the machine's own: of NDI an `ndi-config.v1.json`. It is read once per process. */
  configuration?: string;
  /** Hosts asked for their sources directly, beside what finds them by itself and this machine. */
  searchHosts?: string[];
}

export type HostCommand =
  /** First of all, with the wall offset that all processes of this machine share. */
  | ({ name: 'start'; wallOffsetUs: number } & HostStart)
  /** `codeSourceId`: in the frame code; no other source of the run has it. */
  | { name: 'openSource'; sourceId: number; codeSourceId: number; options: OpenSource }
  | { name: 'closeSource'; sourceId: number }
  /** `shareRecords`: sends the sender's records along and answers requests for the time. `audio`: sends sound along. */
  | {
      name: 'openSender';
      streamId: number;
      sourceId: number;
      senderName: string;
      shareRecords: boolean;
      audio: boolean;
    }
  | { name: 'closeSender'; streamId: number }
  /** To the sending host: all verbs but stall. To the receiving host: the stalls. */
  | { name: 'setFaults'; streamId: number; faults: Fault[] }
  /** To the sending host: how busy its machine was in the second up to `measuredNs`, for the records that it shares. */
  | { name: 'sendLoad'; load: SharedLoad }
  /** To the sending host: its senders say that they end as asked, and that what they send from now on is not due. */
  | { name: 'sayEnd' }
  /** Looks the source up (full name, or the part in brackets), connects, and looks again when it moves. */
  | {
      name: 'openReceiver';
      streamId: number;
      sourceName: string;
      address?: string;
      captureLogPath?: string;
      /** How long that file may become. */
      captureLogMostBytes?: number;
      /** To another machine: its agent has the receiver write a log there, which is fetched later. */
      captureLog?: boolean;
      /** Asks the sender for its time, where it is on another machine. */
      askTime: boolean;
    }
  | { name: 'closeReceiver'; streamId: number }
  | { name: 'discover'; seconds: number }
  /** Asks this host for its sources too, from now on. */
  | { name: 'searchHost'; host: string }
  /** Inspects a Hap movie, and with `decode` decodes all of it. Answers with its status at the end, progress on the way;
   *  the status has `facts`, or MOVIE_NOT_HAP as its `problem`. A file that cannot be read, or not with these `reads` (default: cached), is a
   *  problem of the reply. */
  | { name: 'checkMovie'; path: string; decode: boolean; reads?: Reads }
  /** Makes a clip. Answers with the status at the end, 'failed' included, progress on the way. */
  | { name: 'writeContent'; options: ContentWriterOptions }
  /** What the driver of a network interface reports; null if this system is not asked. NOT_FOUND: there is none of this
   *  name. */
  | { name: 'networkInterface'; interfaceName: string }
  /** Under which policy this host's threads run. */
  | { name: 'threadPolicy' }
  /** To the sending host: messages that say what this machine is, for remote watchers. */
  | { name: 'sendEnvironment'; messages: string[] }
  /** To either host: its end of the stream keeps these pictures as files; null ends it and removes them. */
  | { name: 'keepPictures'; streamId: number; options: KeepPictures | null }
  /** Answers with what is kept so far, null if nothing is. */
  | { name: 'keptPictures'; streamId: number }
  /** Compares pairs of pictures. Answers with the status at the end, 'failed' included, progress on the way. */
  | { name: 'compareQuality'; options: QualityCheckOptions }
  /** Answers with the wake-ups of a pacing thread when all slots are over, progress on the way. */
  | { name: 'measureWakeUps'; options: WakeUpOptions }
  /** Scores this machine's cores. Answers with the status at the end, 'failed' included, progress on the way. */
  | { name: 'scoreProcessor' }
  /** Stops a request with progress, which then answers as it stands ('running'), or an `openSource` that has not started
   *  yet, which answers ABORTED. */
  | { name: 'cancel'; requestId: number }
  | { name: 'flush' }
  /** Answers with when it was carried out; it brings no records. */
  | { name: 'time' };

export type HostRequest = { type: 'request'; requestId: number; command: HostCommand };

/**
 * An agent sends this to each of its hosts, `keepAliveMs` apart. From the first one on, a host ends by itself when
 * `mostKeepAlivesMissed` of them do not come: 5 to 5.5 s after the last one, which is as long as a lease lasts.
 */
export const keepAlive = { type: 'keep-alive' } as const;
export const keepAliveMs = 500;
export const mostKeepAlivesMissed = 10;

/** A host without a transport still checks movies and makes clips; one without the addon does nothing. */
export interface HostReady {
  /** Null: it runs on another machine, where the number means another process than here. */
  processId: number | null;
  addonProblem: Problem | null;
  transport: LoadedTransport | null;
  transportProblem: Problem | null;
}

/** What a host says about one of its streams' senders. */
export interface SenderReport {
  streamId: number;
  /** First slot that was offered to it. */
  firstSlot: number;
  /** Null: the transport does not report it. */
  connections: number | null;
  /** Metadata frames that it could not send. */
  metadataDropped: number;
  /** As of a source's status. */
  realTimeFinding: string;
  submits: SubmitRecords;
  misses: MissRecords;
}

export interface ReceiverReport {
  streamId: number;
  /** Empty until the source was found. */
  sourceName: string;
  address: string;
  /** When the source was found and the receiver opened, monotonic ns; 0 before. */
  openedNs: number;
  /** Whether discovery lists the source at this moment; a source given by its address is not looked up: null. */
  listed: boolean | null;
  captures: CaptureRecords;
  audio: AudioRecords;
  time: ClockRecords;
  status: ReceiverStatus | null;
  /** Metadata frames that arrived. */
  metadata: string[];
  /** The loudest sample since the report before, over all channels, full scale being 0 dBFS; null: no sound came. */
  soundPeakDbfs: number | null;
}

export interface SourceReport {
  sourceId: number;
  status: SourceStatus;
  records: SourceRecords;
  /** Of a source on another machine, beside `releaseNs` on our clock: the same by its own. A message does not have it. */
  releasedThereNs?: Float64Array;
}

/** What a receiver's own log of captured numbers lacks. It ends with the first frame that cannot be written. */
export interface LogGap {
  streamId: number;
  /** Captured so far, and not in it. */
  frames: number;
  /** The system's words. */
  why: string;
  /** The receiver is closed: no more of them come. */
  isFinal: boolean;
}

export interface RecordsMessage {
  type: 'records';
  atNs: number;
  /** This host and the commands it started, for the load sampler. */
  processIds: number[];
  /** The host's newest look at its own sockets; null before the first. */
  traffic: TrafficLook | null;
  /** Of this host, since the message before. */
  standstills: Standstill[];
  /** Each when its log ended, and once more when its receiver is closed; absent if there is none. */
  logGaps?: LogGap[];
  sources: SourceReport[];
  senders: SenderReport[];
  receivers: ReceiverReport[];
}

/** By the host's monotonic clock, ns. */
export interface HostTime {
  heardNs: number;
  repliedNs: number;
}

/** `openSender` answers with the full name of the new source. */
export type HostReplyValue =
  | HostReady
  | DiscoveredSource[]
  | MovieCheckStatus
  | ContentWriterStatus
  | KeptPictures
  | QualityCheckStatus
  | NetworkInterfaceFacts
  | ThreadPolicyFacts
  | WakeUpRecords
  | ProcessorScoreStatus
  | HostTime
  | string
  | null;

/** Of a request that takes long. `frames` is 0 as long as their number is not known. */
export interface HostProgress {
  type: 'progress';
  requestId: number;
  framesDone: number;
  frames: number;
}

export type HostMessage =
  | { type: 'reply'; requestId: number; value: HostReplyValue; problem: Problem | null }
  | HostProgress
  | PackedRecords;
