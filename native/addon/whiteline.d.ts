/**
 * The typed face of the native addon (native/build/Release/whiteline.node); `loadAddon` loads it.
 *
 * Times named `…Ns` are nanoseconds of the machine's monotonic clock, as doubles (exact up to 104 days of uptime,
 * within 2 ns after it). Records are drained in batches, as columns of equal length; `overflowed` counts the records
 * that were lost since the start because they were not drained in time (never silently): each ring holds 8192, or what its
 * handle says.
 *
 * Every function and constructor throws `Error` with a stable `code` (see `NativeErrorCode`). Every handle has a
 * `close()` that may be called twice; any other call after it throws `CLOSED`, but for the drains: they go on giving
 * what was recorded, since closing a sender settles its last slot. `close()` waits at most 50 ms; what the transport takes
 * longer for ends in the background. A handle that becomes garbage is closed, and all are when the process ends.
 *
 * The transports, the clock and the thread policy belong to the process. A worker thread that ends closes what it opened.
 */

import type { ViewedPicture, ViewLimits } from '../../app/protocol/display';
import type { NetworkInterfaceFacts } from '../../app/protocol/network-interface';
import type {
  ProcessorScoreStatus,
  WakeUpOptions,
  WakeUpRecords,
  WakeUpStatus,
} from '../../app/protocol/processor';
import type {
  AudioRecords,
  CaptureRecords,
  ClockRecords,
  DiscoveredSource,
  Fault,
  KeepPictures,
  KeptPictures,
  MissRecords,
  MovieCheckStatus,
  PixelFormat,
  Reads,
  ReceiverStatus,
  SourceRecords,
  SourceStatus,
  SubmitRecords,
} from '../../app/protocol/records';
import type { SocketTraffic } from '../../app/protocol/socket-traffic';
import type { Standstill } from '../../app/protocol/standstill';
import type { TextureBlocks } from '../../app/protocol/textures';
import type { ThreadPolicyFacts, ThreadPolicyOptions } from '../../app/protocol/thread-policy';
import type { TransportName } from '../../app/protocol/transports';

export type NativeErrorCode =
  | 'INVALID_ARGUMENT'
  | 'CLOSED'
  | 'NDI_NOT_FOUND'
  | 'NDI_TOO_OLD'
  | 'NDI_FAILED'
  | 'FILE_UNREADABLE'
  /** A movie's file system has no reads past the page cache, or lies in memory. */
  | 'DIRECT_READS_REFUSED'
  | 'NOT_FOUND'
  /** The process is not given as many threads, or files, as an object of NDI needs. */
  | 'THREADS_EXHAUSTED'
  | 'FILES_EXHAUSTED'
  /** Anything unforeseen, such as no memory or no thread to be had. */
  | 'NATIVE_FAILED';

export interface NdiRuntime {
  /** File that was loaded. */
  path: string;
  /** As the library names itself, e.g. "NDI SDK LINUX 08:02:37 Jun  3 2025 6.2.0.3". */
  version: string;
  /** 6 or 5: the function table that was loaded. */
  api: number;
}

/**
 * Loads libndi once per process; a second call returns the runtime that is loaded.
 * `candidates` are files or folders, tried in order; the caller decides the order (settings, environment, app, system,
 * npm package). The system's library path is tried where a candidate is the bare library name.
 * @throws NDI_NOT_FOUND (message lists what was tried and why each failed), NDI_TOO_OLD (below version 5),
 *   NDI_FAILED (it refuses to start)
 */
export function loadNdi(candidates: string[]): NdiRuntime;

/** The monotonic clock of this machine, the one in all records. */
export function monotonicNs(): number;

/**
 * Makes this process's clock another machine's, for tests of what two machines measure: from now on the native core's
 * monotonic clock is ahead by `offsetMs` and runs fast by `partsPerMillion`. To be called once, before anything is opened.
 */
export function skewClock(skew: { offsetMs: number; partsPerMillion: number }): void;

/** What threads of this process are to run under, for those that start from now on. Before, they run as the system starts
 *  them. */
export function setThreadPolicy(policy: ThreadPolicyOptions): void;

/** What is in force of it, and why the rest is not: as the system reports it of threads that are started to see. */
export function threadPolicy(): ThreadPolicyFacts;

export interface TransportChoice {
  /** An unknown name is refused, with the list of known ones. 'ndi' needs `loadNdi` before. */
  transport: TransportName;
}

export interface FinderOptions extends TransportChoice {
  /** Hosts asked directly, without mDNS, e.g. ["127.0.0.1"]. */
  extraAddresses?: string[];
  groups?: string[];
  /** Default: true. */
  showLocal?: boolean;
}

export class Finder {
  constructor(options: FinderOptions);
  /** What is known now; returns at once. */
  sources(): DiscoveredSource[];
  close(): void;
}

export interface SourceOptions {
  /** 'hap': a Hap movie, read and decoded in this process; 'movie': any other, through a command. */
  kind: 'white-line' | 'noise' | 'movie' | 'hap';
  /** Even, 320 to 16384. */
  width: number;
  /** 180 to 16384. */
  height: number;
  /** Frames per second as an exact fraction, e.g. 60000/1001; at most 1000. */
  rateNumerator: number;
  rateDenominator: number;
  /** Width to height as the picture is to be shown, 0.01 to 100; default: its pixels are square. */
  aspect?: number;
  pixelFormat: PixelFormat;
  /** Wall clock minus monotonic clock in µs, fixed at process start and shared by all processes of a host. */
  wallOffsetUs: number;
  /** Of the frame code, 1 to 65535; no other source of this process may have it. Default: drawn at random. */
  sourceId?: number;
  /** kind 'movie': a command that loops the movie and writes raw pictures of exactly width × height in `pixelFormat`,
   *  tightly packed, to its standard output. Its standard error is kept for the error message. With `hasAlpha` the
   *  pictures are BGRA with straight alpha, whatever `pixelFormat` is, and are composed over the grid. `repeatedInput` is a
   *  file that its standard input is fed with, again and again. */
  command?: { file: string; arguments: string[]; hasAlpha?: boolean; repeatedInput?: string };
  /** kind 'hap': a movie of exactly width × height (see `MovieCheck`). Where the source's rate is not the movie's, the
   *  movie keeps its speed: frames are shown more than once or left out, by exact fractions. It loops forever. */
  hap?: {
    path: string;
    /** Frame of the movie that slot 0 shows. */
    startFrame: number;
    /** Reads the whole file into memory first. */
    preload: boolean;
    /** How its frames are read where it is not preloaded. direct: past the page cache. */
    reads: Reads;
  };
}

/** One schedule, one picture per slot, handed by reference to any number of senders. Starts at once. */
export class Source {
  /** Whatever goes wrong with the pictures shows as state 'failed': no picture within 10 s, the end of the command, or a
   *  Hap movie that cannot be opened or does not fit. Damage to a Hap movie that plays shows in the status only. */
  constructor(options: SourceOptions);
  status(): SourceStatus;
  drain(): SourceRecords;
  /** Closes the source's thread and its command; its senders stay open and send nothing more. */
  close(): void;
}

export interface SenderOptions extends TransportChoice {
  source: Source;
  /** Without what the transport adds to it, such as NDI the machine. */
  name: string;
  /** Travels in each frame's metadata as <whiteline sender="…" slot="…"/>; 1 to 65535. */
  senderId: number;
  /** Sends sound along, one block per submitted frame, silent but for a tone burst at the start of each frame whose number
   *  is a multiple of the frames in a second (the rate, rounded). Default: false. */
  audio?: boolean;
  /** Answers receivers that ask for the time (`Receiver.askTime`), and counts those that come, on a thread of its own.
   *  Default: false. */
  answerTime?: boolean;
}

export interface SenderStatus {
  /** At most 100 ms old. Null: the transport does not know. */
  connections: number | null;
  /** How often a receiver of Whiteline reported that it connected since the sender was opened: at least once for each
   *  connection, since libndi now and then sends the report of one connection twice. Null without `answerTime`. */
  arrivals: number | null;
  /** The first slot that was offered to this sender; every slot from there on is submitted or missed. */
  firstSlot: number;
  /** Metadata frames that were not sent: while the transport's call blocks the newest 256 wait. */
  metadataDropped: number;
  /** As of a source's status. */
  realTimeFinding: string;
  /** Under which receivers find it; over NDI "MACHINE (name)". */
  sourceName: string;
}

export class Sender {
  /** @throws NDI_FAILED when NDI refuses (for example a name in use) */
  constructor(options: SenderOptions);
  drain(): SubmitRecords;
  drainMisses(): MissRecords;
  /** Replaces the list of faults to come; a delay is at most 10 s. A `stall` is the receiver's and is refused here. */
  setFaults(faults: Fault[]): void;
  /** Sends one metadata frame to every connected receiver, between two frames. */
  sendMetadata(xml: string): void;
  /** Keeps the pictures of these frames as they were composed, copied after their send call; see `KeepPictures`. Null ends
   *  it and removes the files, as closing does. */
  keepPictures(options: KeepPictures | null): void;
  /** Null where nothing is kept. */
  keptPictures(): KeptPictures | null;
  status(): SenderStatus;
  close(): void;
}

export interface ReceiverTarget {
  /** Full name of the source; may be empty when an address is given. */
  name: string;
  /** "host:port"; NDI looks the name up by mDNS when it is absent. With name and address it goes to the address first,
   *  and looks the name up when it connects again. */
  address?: string;
}

export interface ReceiverOptions extends ReceiverTarget, TransportChoice {
  /** How this receiver calls itself. */
  receiverName: string;
  /** File to which each captured picture is written within 250 ms, independent of the records:
   *  one line "captureNs sourceId frameNumber status senderId". */
  captureLogPath?: string;
  /** How long that file may become. Default: as long as it does. */
  captureLogMostBytes?: number;
  /** Wall clock minus monotonic clock in µs of this process: what `drainTime` adds. Default: 0. */
  wallOffsetUs?: number;
}

/** Of a receiver's own log. It ends with the first picture that cannot be written. */
export interface CaptureLogState {
  /** Pictures that were captured and are not in it. */
  missing: number;
  /** Why, in the system's words; empty where none is missing. */
  why: string;
  /** Nothing more is written, and all of this is known: soon after closing. */
  isEnded: boolean;
}

export interface Preview {
  /** Rises with each new preview. */
  sequence: number;
  width: number;
  height: number;
  frameNumber: number;
  /** RGBA, 8 bits, tightly packed. */
  pixels: Uint8ClampedArray;
}

export class Receiver {
  constructor(options: ReceiverOptions);
  /** Connects to another address or name within 100 ms, keeping records and counters. */
  connect(target: ReceiverTarget): void;
  drain(): CaptureRecords;
  /** Sound, captured by the thread that captures pictures and metadata. */
  drainAudio(): AudioRecords;
  /** Metadata frames that arrived, as texts that need be neither XML nor whole: of each the first 64 KiB are kept, and the
   *  newest 256, 1 MiB together; the others are counted in the status. Answers to `askTime` are not among them. */
  drainMetadata(): string[];
  /** The loudest sample of all channels since this was last asked, full scale being 0 dBFS, silence −120; null: no sound came. */
  takePeakDbfs(): number | null;
  /** Asks the sender for its time so often, 0 to 20 times a second; 0 (the default) stops it. */
  askTime(options: { rateHz: number }): void;
  drainTime(): ClockRecords;
  /** Replaces the stalls to come: nothing is fetched from the capture of a frame of `first` to `last` until one frame
   *  period behind `last`. */
  setStalls(stalls: { first: number; last: number }[]): void;
  /** The same of captured pictures: the first of each frame whose code is good. */
  keepPictures(options: KeepPictures | null): void;
  keptPictures(): KeptPictures | null;
  /** Also after closing. Null where it writes none. */
  captureLog(): CaptureLogState | null;
  status(): ReceiverStatus;
  /** At most `rateHz` previews a second (0 to 60), none wider than `maxWidth`; 0 switches them off (the default). Each is made in
   *  the 40 ms before a multiple of 1/`rateHz` of the monotonic clock where pictures come often enough, so that it is new then. */
  setPreview(options: { rateHz: number; maxWidth: number }): void;
  /** The newest preview if it is newer than `afterSequence`, otherwise null. Its pixels are written to `used`, the array of
   *  an earlier one, where that has its size. */
  preview(afterSequence: number, used?: Uint8ClampedArray): Preview | null;
  /** Keeps every picture for a display window, three at most and the oldest dropped; larger ones are reduced by whole
   *  factors, faster ones to every nth frame number. Null switches it off (the default). */
  setView(limits: ViewLimits | null): void;
  /** The oldest picture that was not taken, or null. */
  takeView(): ViewedPicture | null;
  close(): void;
}

/** Inspects a Hap movie on a thread of its own: its index at once, and with `decode` every frame. */
export class MovieCheck {
  /** `reads`: whether its frames can be read so is found out with the index. */
  constructor(options: { path: string; decode: boolean; reads: Reads });
  status(): MovieCheckStatus;
  /** Stops looking. */
  close(): void;
}

/** How late a thread is woken that sleeps to a schedule as the thread of a `Source` does (native/base/pacing). */
export class WakeUpLateness {
  constructor(options: WakeUpOptions);
  status(): WakeUpStatus;
  /** Has room for all wake-ups. */
  drain(): Omit<WakeUpRecords, 'firstSlotNs'>;
  /** Ends the thread. */
  close(): void;
}

/** Finds out when this process stands still, on a thread of its own (native/base/pacing). */
export class StandstillWatch {
  constructor();
  /** Those since the last call. One that has just ended is among them: it is waited for, 0.2 s at most. */
  drain(): Standstill[];
  close(): void;
}

/** Reference work on each core that this process may use, one after the other (native/base/processor). */
export class ProcessorScore {
  constructor();
  status(): ProcessorScoreStatus;
  /** Stops; a core whose work was cut short has no score. */
  close(): void;
}

export interface TextureReaderOptions {
  path: string;
  /** As the source that plays the movie has them. */
  startFrame: number;
  rateNumerator: number;
  rateDenominator: number;
  /** `startNs` of the source's status. */
  startNs: number;
}

export interface ReadTexture extends TextureBlocks {
  /** Rises with each new texture, from 1. */
  sequence: number;
  /** Frames of the whole movie. */
  frames: number;
}

/** Fetches the compressed blocks of the frame that a Hap source shows now, on a thread of its own and beside the source,
 *  for a viewer. */
export class TextureReader {
  constructor(options: TextureReaderOptions);
  /** Fetches the frame that is shown now, unless it is the newest already. Returns at once. */
  request(): void;
  /** The newest texture, copied, if it is newer than `afterSequence`, otherwise null. */
  texture(afterSequence: number): ReadTexture | null;
  /** What the newest texture's alpha is composed over by a source, as one grey level (full range) for each pixel, rows
   *  packed; null before the first texture, and where the movie has no alpha. */
  background(): Uint8Array | null;
  /** Why the frame tried last could not be had: names the file, the frame and the byte. Empty if it could. */
  damage(): string;
  close(): void;
}

/** The picture that a source makes of these blocks, opaque BGRA, rows packed: what a GPU's picture is compared with. */
export function decodeTexture(texture: TextureBlocks): Uint8Array;

/**
 * What the driver of a network interface of this process's network namespace reports. Null on any system but Linux.
 * @throws NOT_FOUND where no interface has this name
 */
export function networkInterfaceFacts(name: string): NetworkInterfaceFacts | null;

/** Looks at all sockets of this process. Null if the system does not count their bytes. */
export function socketTraffic(): SocketTraffic | null;

/** Handles still open, for leak tests. */
export function openHandles(): number;

/** Bytes of pictures, and of what is as large, that open handles hold, for leak tests. */
export function pictureBytes(): number;
