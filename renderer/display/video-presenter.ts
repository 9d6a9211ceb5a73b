import type { FrameId } from './display-counter';
import { FeedbackTrial, type NoFeedback } from './feedback-trial';
import { PresentationLedger } from './presentation-ledger';

/** Chromium's track that frames are written into; the DOM library does not know it. */
interface TrackGenerator extends MediaStreamTrack {
  readonly writable: WritableStream<VideoFrame>;
}
type TrackGeneratorClass = new (options: { kind: 'video' }) => TrackGenerator;

/** Frames that were written and not taken yet: beyond them the video element does not keep up. */
const mostWaiting = 3;

function trackGenerator(): TrackGeneratorClass | null {
  const known = globalThis as { MediaStreamTrackGenerator?: TrackGeneratorClass };
  const canCallBack = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
  return canCallBack && 'VideoFrame' in globalThis ? (known.MediaStreamTrackGenerator ?? null) : null;
}

/**
 * Shows what is drawn on a canvas in a video element, since of video frames alone the browser reports which ones it gave to
 * its compositor.
 */
export class VideoPresenter {
  private readonly trial = new FeedbackTrial();
  private readonly ledger = new PresentationLedger<FrameId | null>();
  private readonly track: TrackGenerator;
  private readonly writer: WritableStreamDefaultWriter<VideoFrame>;
  private waiting = 0;
  private unheardSinceMs: number | null = null;
  private lastTimestampUs = 0;
  private isClosed = false;

  /** Null if the browser lacks what it takes. */
  static open(
    video: HTMLVideoElement,
    onPresented: (frame: FrameId, nowMs: number) => void,
  ): VideoPresenter | null {
    const Generator = trackGenerator();
    return Generator && new VideoPresenter(video, new Generator({ kind: 'video' }), onPresented);
  }

  private constructor(
    private readonly video: HTMLVideoElement,
    track: TrackGenerator,
    private readonly onPresented: (frame: FrameId, nowMs: number) => void,
  ) {
    this.track = track;
    this.writer = track.writable.getWriter();
    video.srcObject = new MediaStream([track]);
    // What is refused here is never called back, which the trial finds.
    video.play().catch(() => undefined);
    this.listen();
  }

  /** Null: what is presented is known. */
  lack(nowMs: number): NoFeedback | null {
    return this.trial.lack(this.unheardSinceMs === null ? 0 : nowMs - this.unheardSinceMs);
  }

  /** Hands over the canvas as it was drawn just now, `intervalMs` before the next; null: a picture without a number. */
  show(canvas: HTMLCanvasElement, frame: FrameId | null, nowMs: number, intervalMs: number): void {
    if (this.waiting >= mostWaiting) return;
    const startMs = performance.now();
    this.lastTimestampUs = Math.max(Math.round(nowMs * 1000), this.lastTimestampUs + 1);
    const picture = new VideoFrame(canvas, { timestamp: this.lastTimestampUs, alpha: 'discard' });
    this.ledger.noteWritten(this.lastTimestampUs, frame);
    this.waiting += 1;
    this.unheardSinceMs ??= startMs;
    const taken = (): void => {
      this.waiting -= 1;
    };
    // The track closes the frame, unless it is stopped and refuses it.
    this.writer.write(picture).then(taken, () => {
      picture.close();
      taken();
    });
    this.trial.noteWritten(performance.now() - startMs, intervalMs);
  }

  close(): void {
    this.isClosed = true;
    this.track.stop();
    this.video.srcObject = null;
  }

  private listen(): void {
    this.video.requestVideoFrameCallback((nowMs, feedback) => {
      if (this.isClosed) return;
      this.listen();
      this.unheardSinceMs = null;
      this.trial.noteCallback();
      for (const frame of this.ledger.presented(feedback)) if (frame) this.onPresented(frame, nowMs);
    });
  }
}
