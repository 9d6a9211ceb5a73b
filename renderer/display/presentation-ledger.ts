interface Written<Frame> {
  timestampUs: number;
  frame: Frame;
}

/** What the browser reports of a frame that it gave to the compositor (`requestVideoFrameCallback`). */
export interface FrameFeedback {
  /** Timestamp of the frame, s. */
  mediaTime: number;
  /** Frames given to the compositor since the start. */
  presentedFrames: number;
}

/** Finds which of the frames that were handed to a video element the browser gave to its compositor. */
export class PresentationLedger<Frame> {
  private readonly written: Written<Frame>[] = [];
  private presentedFrames = 0;

  /** Timestamps have to rise. */
  noteWritten(timestampUs: number, frame: Frame): void {
    this.written.push({ timestampUs, frame });
  }

  /**
   * The frames that were presented since the last call. The window hears of one and of a number: where callbacks were
   * skipped, the others are the newest before it.
   */
  presented({ mediaTime, presentedFrames }: FrameFeedback): Frame[] {
    const timestampUs = Math.round(mediaTime * 1e6);
    const index = this.written.findIndex((entry) => entry.timestampUs === timestampUs);
    const count = presentedFrames - this.presentedFrames;
    this.presentedFrames = presentedFrames;
    if (index < 0) return [];
    const upToIt = this.written.splice(0, index + 1);
    return upToIt.slice(-Math.max(1, count)).map(({ frame }) => frame);
  }
}
