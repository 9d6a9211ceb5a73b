import { type DisplayFate, DisplayStage, leftOutFate } from '../../app/protocol/display';

/** A frame of a stream: its number, and the start of the source that it is of. */
export interface FrameId {
  sourceId: number;
  frameNumber: number;
}

/** All of frames whose time is over, so that they add up: captured = shown + missed + left out. */
export interface DisplayCounts {
  captured: number;
  delivered: number;
  uploaded: number;
  /** Null if it is not reported. */
  presented: number | null;
  /** Not shown on purpose: the stream is faster than what is shown of it. */
  leftOut: number;
  /** Captured and not shown in their time, by the stage that they did not reach. */
  missedDelivery: number;
  missedUpload: number;
  missedPresentation: number | null;
  missed: number;
}

/** What became of a frame whose time is over. */
export interface SettledFrame extends FrameId {
  fate: DisplayFate;
}

interface Frame {
  stage: DisplayStage;
  sinceMs: number;
  isSettled: boolean;
}

/** A frame that was not shown so long after the first that was heard of it was not shown in its time. */
export const settleAfterMs = 1000;
/** Longer, so that the same number captured again is no new frame. */
const forgetAfterMs = 5000;

/** Counts what became of each captured frame in the display window, by the numbers that come with the pictures. */
export class DisplayCounter {
  /** The first one that was delivered: counting begins with it. */
  first: FrameId | null = null;
  private everyNth = 1;
  private readonly frames = new Map<number, Frame>();
  private readonly reached: [number, number, number, number] = [0, 0, 0, 0];
  private leftOut = 0;

  /** `lastStage`: the last one that is reported. */
  constructor(readonly lastStage: typeof DisplayStage.uploaded | typeof DisplayStage.presented) {}

  /** By a record of the receiver. It may be heard of before the picture comes, or after it. */
  noteCaptured(frame: FrameId, nowMs: number): void {
    this.note(frame, DisplayStage.captured, nowMs);
  }

  noteDelivered(frame: FrameId, everyNth: number, nowMs: number): void {
    this.everyNth = everyNth;
    if (!this.first) this.begin(frame);
    // What was delivered was captured, should its record be late.
    this.note(frame, DisplayStage.delivered, nowMs);
  }

  noteUploaded(frame: FrameId, nowMs: number): void {
    this.note(frame, DisplayStage.uploaded, nowMs);
  }

  notePresented(frame: FrameId, nowMs: number): void {
    this.note(frame, DisplayStage.presented, nowMs);
  }

  /** Closes the frames whose time is over, and reports them. */
  settle(nowMs: number): SettledFrame[] {
    const settled: SettledFrame[] = [];
    for (const [key, frame] of this.frames) {
      const ageMs = nowMs - frame.sinceMs;
      if (ageMs >= forgetAfterMs) this.frames.delete(key);
      if (frame.isSettled || ageMs < settleAfterMs) continue;
      frame.isSettled = true;
      if (!this.first) continue;
      const id = idOf(key);
      const isLeftOut = frame.stage === DisplayStage.captured && id.frameNumber % this.everyNth !== 0;
      if (isLeftOut) this.leftOut += 1;
      else this.reached[frame.stage] += 1;
      settled.push({ ...id, fate: isLeftOut ? leftOutFate : frame.stage });
    }
    return settled;
  }

  counts(): DisplayCounts {
    const [onlyCaptured, onlyDelivered, onlyUploaded, presented] = this.reached;
    const uploaded = onlyUploaded + presented;
    const isPresentationKnown = this.lastStage === DisplayStage.presented;
    return {
      captured: onlyCaptured + onlyDelivered + uploaded + this.leftOut,
      delivered: onlyDelivered + uploaded,
      uploaded,
      presented: isPresentationKnown ? presented : null,
      leftOut: this.leftOut,
      missedDelivery: onlyCaptured,
      missedUpload: onlyDelivered,
      missedPresentation: isPresentationKnown ? onlyUploaded : null,
      missed: onlyCaptured + onlyDelivered + (isPresentationKnown ? onlyUploaded : 0),
    };
  }

  private note(id: FrameId, stage: DisplayStage, nowMs: number): void {
    if (this.first && isBefore(id, this.first)) return;
    const key = keyOf(id);
    const frame = this.frames.get(key);
    if (!frame) this.frames.set(key, { stage, sinceMs: nowMs, isSettled: false });
    else if (stage > frame.stage) frame.stage = stage;
  }

  /** What was captured before the window looked is not its loss. */
  private begin(first: FrameId): void {
    this.first = first;
    for (const key of this.frames.keys()) {
      const id = idOf(key);
      if (id.sourceId !== first.sourceId || isBefore(id, first)) this.frames.delete(key);
    }
  }
}

const numbers = 2 ** 32;

/** Whole numbers are exact up to 2⁵³, and a source's id has 16 bits. */
function keyOf({ sourceId, frameNumber }: FrameId): number {
  return sourceId * numbers + frameNumber;
}

function idOf(key: number): FrameId {
  return { sourceId: Math.floor(key / numbers), frameNumber: key % numbers };
}

/** Numbers compare in serial arithmetic: they wrap. */
function isBefore(id: FrameId, first: FrameId): boolean {
  return id.sourceId === first.sourceId && ((id.frameNumber - first.frameNumber) | 0) < 0;
}
