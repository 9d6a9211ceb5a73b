/**
 * Per-frame records as the native core drains them: columns of equal length, one entry per frame.
 * Times named `…Ns` are nanoseconds of the machine's monotonic clock. `overflowed` counts the records lost since the
 * start because they were not drained in time. The native addon's declarations use these types.
 */

export type PixelFormat = 'uyvy' | 'bgra';

/** cached: through the page cache of the system, which may have the file already; direct: past it, from the disk. */
export const readModes = ['cached', 'direct'] as const;
export type Reads = (typeof readModes)[number];

export interface DiscoveredSource {
  /** Full name; over NDI "MACHINE (name)". */
  name: string;
  /** "address:port"; may be empty. */
  address: string;
}

export type SourceState = 'starting' | 'running' | 'failed' | 'closed';

export interface SourceStatus {
  state: SourceState;
  /** As in the frame code: random, never 0, unique in the process. */
  sourceId: number;
  /** t0 of the schedule; slot k falls at t0 + k·D/N. 0 while starting. */
  startNs: number;
  /** Why it failed, with the last lines that the movie's command wrote to standard error. */
  message: string;
  /** Process id of the movie's command, 0 if there is none. */
  commandProcessId: number;
  /** Hap movies: bytes read, over the time spent in reading them, of the last second in which any were read; null before
   *  the first read, for a movie held in memory, and for other kinds. MB = 10⁶ bytes. */
  diskRateMBps: number | null;
  /** Hap movies: pictures that could not be read or decoded since the start; the one before was shown in their place. */
  damagedPictures: number;
  /** What was wrong with the newest of them: names the file, the frame and the byte. Empty if there was none. */
  damage: string;
  /** What became of its thread's real-time priority when it hardly slept, as words that follow "the thread"; empty: nothing. */
  realTimeFinding: string;
}

export const SlotState = {
  /** A finished picture was handed to the senders. */
  Released: 0,
  /** The movie's picture was not ready: the last one was shown again under a fresh line and code. */
  LateSource: 1,
  /** The source itself woke or composed too late: nothing was handed over. */
  Skipped: 2,
} as const;

/** Why the picture of a `LateSource` slot was not ready. */
export const LateCause = {
  /** The slot was not late. */
  None: 0,
  /** Reading the movie's file took too long. */
  Disk: 1,
  /** Decoding took too long. */
  Decode: 2,
  /** The frame could not be read or decoded at all. */
  Damaged: 3,
  /** The movie's command gave no picture in time: disk and decoding cannot be distinguished. */
  Command: 4,
} as const;

export interface SourceRecords {
  /** Slot of the schedule modulo 2³²; every slot appears exactly once, in order. */
  frameNumber: Uint32Array;
  slotNs: Float64Array;
  /** 0 for a skipped slot. */
  releaseNs: Float64Array;
  /** One of `SlotState`. */
  state: Uint8Array;
  /** One of `LateCause`. */
  lateCause: Uint8Array;
  overflowed: number;
}

export interface SubmitRecords {
  frameNumber: Uint32Array;
  /** The transport's send call was entered (or, for an injected `skip`, would have been). */
  beginNs: Float64Array;
  /** How long the longest visit to the transport since the submit before took: for its picture and sound, or for metadata. */
  previousCallNs: Float64Array;
  overflowed: number;
}

export const MissCause = {
  /** The source skipped the slot: our own pacing was late. */
  SourceSkipped: 0,
  /** The transport's send call of an earlier frame had not returned by the deadline. */
  SendBlocked: 1,
  /** The sender's thread was free but did not take the frame in time: our own pacing was late. */
  SenderLate: 2,
  /** An injected `miss`. */
  Injected: 3,
} as const;

export interface MissRecords {
  frameNumber: Uint32Array;
  /** When the miss was certain: the slot's deadline or later. */
  atNs: Float64Array;
  /** One of `MissCause`. */
  cause: Uint8Array;
  overflowed: number;
}

/** What a fault that its own sender put into a submitted frame did to it. */
export const InjectedFault = {
  /** The send call was left out. */
  Skipped: 1,
  /** The picture was spoilt, or its code taken away. */
  Spoilt: 2,
} as const;

/**
 * What the fault injector does to frames of one stream; docs/measurement.md has the counts to come of each.
 * miss: before the submit record. All others act after it: skip leaves the transport's call out; repeat hands the frame over
 * twice; swap holds `first` back until `last` was handed over; tear gives the bottom strip the number before; tear-middle
 * shows the lower half of the frame before, stale-band its middle third, where the lines of the two differ by a line's
 * width; damage-top and damage-bottom spoil one strip; black blanks the whole picture; green takes its chroma away,
 * swap-chroma exchanges U and V, dim takes 60 % of its contrast; shrink halves width and height; mislabel gives the label of
 * the next slot; delay waits inside the send call; stall makes the receiver fetch nothing from the capture of `first` until
 * one slot after `last`.
 */
export const faultVerbs = [
  'miss',
  'skip',
  'repeat',
  'swap',
  'tear',
  'tear-middle',
  'stale-band',
  'damage-top',
  'damage-bottom',
  'black',
  'green',
  'swap-chroma',
  'dim',
  'shrink',
  'mislabel',
  'delay',
  'stall',
] as const;

export type FaultVerb = (typeof faultVerbs)[number];

export interface Fault {
  verb: FaultVerb;
  /** First and last absolute frame number, both included; for swap the two frames. */
  first: number;
  last: number;
  /** For delay: how long the call waits, more than 0; absent otherwise. */
  delayMs?: number;
}

/** Whether a picture is whole; docs/measurement.md defines each. */
export const PictureStatus = {
  Good: 0,
  /** Both strips valid, their contents differ: counts as the later number, of two sources as the one released later. Or rows of another frame reach a strip. */
  Torn: 1,
  /** Exactly one strip valid, the white line absent where it would stand out, or bytes missing. */
  Damaged: 2,
  /** The label or the timecode belongs to another frame. */
  Mislabelled: 3,
  /** Not of the announced size. */
  WrongSize: 4,
  /** Rows of another frame within the picture. */
  Stale: 5,
  /** Chroma of strips, line or picture is not what it was. */
  Discoloured: 6,
  /** The strips have less than 60 % of their contrast. */
  Dimmed: 7,
  Undecodable: 8,
} as const;

/** Class of an undecodable picture. */
export const PictureClass = {
  Coded: 0,
  Black: 1,
  SolidGreen: 2,
  /** NDI's placeholder: black with a green and a red bar. */
  Placeholder: 3,
  /** The same picture as the one before. */
  Frozen: 4,
  Other: 5,
} as const;

export interface CaptureRecords {
  captureNs: Float64Array;
  /** 0 if undecodable. */
  sourceId: Uint16Array;
  frameNumber: Uint32Array;
  /** µs since 1970 modulo 2⁴⁸, as read; 0 if undecodable. */
  releaseTimeUs: Float64Array;
  /** When the transport sent it and which moment it shows, in µs since 1970; NaN where it does not say. */
  timestampUs: Float64Array;
  timecodeUs: Float64Array;
  /** Pictures that the transport has dropped so far because they were not fetched in time; NaN where it does not say. */
  transportDropped: Float64Array;
  /** One of `PictureStatus`. */
  status: Uint8Array;
  /** One of `PictureClass`. */
  pictureClass: Uint8Array;
  /** Smallest distance of a cell from the threshold, 0 to 1; NaN where undecodable. */
  codeHealth: Float32Array;
  /** From the frame's metadata, 0 if there was none. */
  senderId: Uint16Array;
  /** Picture rows between which the white line was not as it should be; both 0 if it was, or was not looked for. */
  firstSpoiltRow: Uint16Array;
  lastSpoiltRow: Uint16Array;
  /** Places at which the white line was looked for, 0 if it was not; and those where it stands out from the picture. */
  linePlaces: Uint16Array;
  lineWitnesses: Uint16Array;
  overflowed: number;
}

/** Sound as it came, one entry per block; a sender with `audio` sends one block for each frame that it submits. */
export interface AudioRecords {
  captureNs: Float64Array;
  /** Frame number of the slot that the block was made for, from its metadata; NaN where there was none. */
  frameNumber: Float64Array;
  samples: Uint32Array;
  sampleRate: Uint32Array;
  /** When the first sample of a tone burst would sound if the block were played as it came: captureNs plus the samples
   *  before it; NaN where no burst begins. */
  burstNs: Float64Array;
  overflowed: number;
}

/**
 * Answered questions for the time at the sender, in µs of each side's release clock (monotonic clock + wall offset, the
 * clock of the release times in the frame code). Asked and received here: `askedUs`, `answeredUs`; over there: `heardUs`,
 * `repliedUs`.
 */
export interface ClockRecords {
  askedUs: Float64Array;
  heardUs: Float64Array;
  repliedUs: Float64Array;
  answeredUs: Float64Array;
  overflowed: number;
}

/** fields: each picture is one field, so two come in each frame period. */
export type FrameFormat = 'progressive' | 'interleaved' | 'fields';

export interface ReceiverStatus {
  /** Connections as the transport counts them. Null, here and below: it does not say. */
  connections: number | null;
  /** 0 until the first picture. */
  width: number;
  height: number;
  rateNumerator: number;
  rateDenominator: number;
  frameFormat: FrameFormat;
  /** As four characters, e.g. "UYVY". */
  fourCC: string;
  picturesCaptured: number;
  /** captureNs of the newest picture, 0 if none. */
  lastCaptureNs: number;
  transportDropped: number | null;
  transportQueueDepth: number | null;
  /** Metadata frames that came faster than they were taken, and are lost. */
  metadataDropped: number;
}

/** A Hap movie as its index describes it. */
export interface MovieFacts {
  /** Of the sample description: Hap1, Hap5, HapY, HapM, HapA, Hap7 or HapH. */
  fourCC: string;
  /** As users name it, e.g. "Hap Q". */
  variant: string;
  width: number;
  height: number;
  /** Its display matrix turns or mirrors it. */
  isTurned: boolean;
  /** Width to height of a pixel as it is shown. */
  pixelAspect: number;
  /** Exact where `constantRate`, otherwise the mean. */
  rateNumerator: number;
  rateDenominator: number;
  constantRate: boolean;
  frames: number;
  durationSeconds: number;
  fileBytes: number;
  /** Of the frames alone, without the index: 8 · bytes / duration / 10⁶. */
  bitrateMbps: number;
  largestFrameBytes: number;
  /** Of the first frame, and with `decode` the fewest and the most of all. */
  chunksMin: number;
  chunksMax: number;
  compressor: 'none' | 'snappy' | 'mixed';
  /** In words, for example a width that cannot carry the frame code. */
  problems: string[];
}

export interface DamagedFrame {
  frame: number;
  /** In the file. */
  byte: number;
  message: string;
}

export interface MovieCheckStatus {
  state: 'running' | 'done' | 'failed';
  facts: MovieFacts | null;
  framesDecoded: number;
  damagedFrames: number;
  /** The first 1000 of them. */
  damage: DamagedFrame[];
  /** 'failed': code is FILE_UNREADABLE, MOVIE_NOT_HAP, MOVIE_UNSUPPORTED or MOVIE_DAMAGED, the message names file and
   *  byte. */
  problem: { code: string; message: string } | null;
}

export interface ContentWriterOptions {
  /** One of the generators that native/content knows. */
  generator: string;
  width: number;
  height: number;
  rateNumerator: number;
  rateDenominator: number;
  frames: number;
  /** Reads raw packed BGRA pictures from its standard input. */
  command: { file: string; arguments: string[] };
}

export interface ContentWriterStatus {
  state: 'running' | 'done' | 'failed';
  framesWritten: number;
  /** Why it failed, with the last lines of the command's standard error. */
  message: string;
}

/** Pictures of a stream that one of its ends keeps as raw UYVY files, to be compared with the other end's. */
export interface KeepPictures {
  /** An existing folder; the files are removed when the keeping ends. */
  folder: string;
  /** Of the stream's pictures; others are not kept. */
  width: number;
  height: number;
  /** Frame numbers to come. */
  frames: number[];
  /** As in the frame code. */
  sourceId: number;
}

export interface KeptPictures {
  /** Frames whose pictures lie in the folder. */
  written: number[];
  /** Those that could not be kept, and why. */
  skipped: { frame: number; why: string }[];
  /** Copied and not written yet. */
  waiting: number;
}

/** What is compared: either what two ends of a stream kept, or a Hap clip and what its generator paints. */
export type QualityCheckOptions = {
  /** ffmpeg, which writes the pictures. */
  program: string;
  /** Of the frame whose luma differs most, as PNG: sent beside received, and where they differ. */
  sideBySidePath?: string;
  differencePath?: string;
} & (
  | {
      /** Strips and white line are left out, with 16 pixels around them. Width is even. */
      pairs: {
        folder: string;
        width: number;
        height: number;
        rateNumerator: number;
        rateDenominator: number;
        frames: number[];
      };
    }
  | { clip: { path: string; generator: string; frames: number[] } }
);

/** Of Y, Cb and Cr; null if nothing was left to compare. */
export type PlaneFigures = [number | null, number | null, number | null];

export interface ComparedPicture {
  frame: number;
  meanSquaredErrors: PlaneFigures;
  /** 1: alike. */
  structuralSimilarities: PlaneFigures;
}

export interface QualityCheckStatus {
  state: 'running' | 'done' | 'failed';
  compared: ComparedPicture[];
  problem: { code: string; message: string } | null;
  /** Why the pictures of the worst frame were not written; empty if they were. */
  pictureProblem: string;
}
