import {
  type DisplayMessage,
  type DisplayReport,
  DisplayStage,
  displayReportMs,
  type PictureMessage,
} from '../../app/protocol/display';
import { shareDisplayRate } from '../white-line/display-rate';
import { RefreshCounter } from '../white-line/refresh-counter';
import { DisplayCounter, type DisplayCounts, type FrameId } from './display-counter';
import type { DisplayFeed } from './display-feed';
import { DisplayPainter } from './display-painter';
import { displayReports } from './display-reports';
import type { NoFeedback } from './feedback-trial';
import { PictureQueue } from './picture-queue';
import { VideoPresenter } from './video-presenter';

/** Why nothing is drawn. */
export type DrawFault = 'no-webgl2' | 'context-lost' | 'webgl-failed';

export interface DisplayPictureOptions {
  streamId: number;
  feed: DisplayFeed;
  canvas: HTMLCanvasElement;
  video: HTMLVideoElement;
  /** The first picture, and the first of another shape. */
  onShape(picture: PictureMessage): void;
  /** By which way pictures are shown: null while the browser reports what it presented. */
  onFeedback(lack: NoFeedback | null): void;
  onFault(fault: DrawFault | null): void;
  /** What became of the frames whose time is over, four times a second as long as they are counted. */
  onReport(report: DisplayReport): void;
}

/** What the overlay shows, as of now. */
export interface DisplayFigures {
  newestFrame: number | null;
  /** Null before counting has begun, and where pictures carry no number. */
  counts: DisplayCounts | null;
  refreshHz: number | null;
  compositorTicksMissed: number;
}

/** Shows every picture of one stream, one at each refresh at most, and counts what became of each. */
export class DisplayPicture {
  private readonly refreshes = new RefreshCounter();
  private readonly queue = new PictureQueue<PictureMessage>();
  private readonly gl: WebGL2RenderingContext | null;
  private painter: DisplayPainter | null = null;
  private video: VideoPresenter | null = null;
  private lack: NoFeedback | null = 'probing';
  private counter: DisplayCounter | null = null;
  private newestFrame: number | null = null;
  private shape = '';
  private ticksReported = 0;
  private request: number;
  private readonly reporting: ReturnType<typeof setInterval>;
  private readonly stopViewing: () => void;
  private readonly stopSharing: () => void;

  constructor(private readonly options: DisplayPictureOptions) {
    const { canvas, feed, streamId, video } = options;
    this.gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
    canvas.addEventListener('webglcontextlost', this.loseContext);
    canvas.addEventListener('webglcontextrestored', this.regainContext);
    if (!this.gl) options.onFault('no-webgl2');
    else if (this.gl.isContextLost()) options.onFault('context-lost');
    this.video = VideoPresenter.open(video, (frame, nowMs) => this.counter?.notePresented(frame, nowMs));
    if (!this.video) this.decide('no-interface');
    this.stopViewing = feed.view(streamId, (message) => this.receive(message));
    this.stopSharing = shareDisplayRate(this.refreshes);
    this.request = requestAnimationFrame(this.refresh);
    this.reporting = setInterval(() => this.report(), displayReportMs);
  }

  figures(): DisplayFigures {
    const { counter, newestFrame, refreshes } = this;
    return {
      newestFrame,
      counts: counter?.first ? counter.counts() : null,
      refreshHz: refreshes.refreshHz,
      compositorTicksMissed: refreshes.missed,
    };
  }

  /** The frame with which counting began. */
  firstFrame(): number | null {
    return this.counter?.first?.frameNumber ?? null;
  }

  close(): void {
    const { canvas } = this.options;
    cancelAnimationFrame(this.request);
    clearInterval(this.reporting);
    this.stopViewing();
    this.stopSharing();
    for (const { sequence } of this.queue.clear()) this.options.feed.done(sequence);
    canvas.removeEventListener('webglcontextlost', this.loseContext);
    canvas.removeEventListener('webglcontextrestored', this.regainContext);
    this.video?.close();
    this.painter?.close();
  }

  private receive(message: DisplayMessage): void {
    const nowMs = performance.now();
    if (message.type === 'captured') {
      const { sourceIds, frameNumbers } = message;
      for (const [index, frameNumber] of frameNumbers.entries()) {
        this.counter?.noteCaptured({ sourceId: sourceIds[index] ?? 0, frameNumber }, nowMs);
      }
      return;
    }
    const frame = frameOf(message);
    if (frame) this.counter?.noteDelivered(frame, message.everyNth, nowMs);
    const dropped = this.queue.push(message);
    if (dropped) this.options.feed.done(dropped.sequence);
  }

  /** Its listener waits for as long as frames are counted, so that nothing to report is reported as well. */
  private report(): void {
    const { counter, refreshes } = this;
    const ticksMissed = refreshes.missed - this.ticksReported;
    this.ticksReported = refreshes.missed;
    const settled = counter?.settle(performance.now());
    if (!counter?.first || !settled) return;
    const isPresentationKnown = counter.lastStage === DisplayStage.presented;
    const head = { streamId: this.options.streamId, isPresentationKnown, ticksMissed };
    for (const report of displayReports(head, settled)) this.options.onReport(report);
  }

  private readonly refresh = (nowMs: number): void => {
    this.request = requestAnimationFrame(this.refresh);
    this.refreshes.tick(nowMs);
    const picture = this.queue.next();
    if (picture) {
      this.show(picture, nowMs);
      this.options.feed.done(picture.sequence);
    }
    if (this.video) this.decide(this.video.lack(performance.now()));
  };

  private show(picture: PictureMessage, nowMs: number): void {
    const { gl } = this;
    const { canvas, onFault, onShape } = this.options;
    if (!gl || gl.isContextLost()) return;
    try {
      this.painter ??= new DisplayPainter(gl);
      this.painter.draw(picture);
    } catch (error) {
      console.error(error);
      // The event of a lost context follows by itself.
      if (!gl.isContextLost()) onFault('webgl-failed');
      return;
    }
    const frame = frameOf(picture);
    if (frame) this.counter?.noteUploaded(frame, performance.now());
    this.newestFrame = picture.frameNumber;
    canvas.dataset.frameNumber = String(picture.frameNumber);
    this.video?.show(canvas, frame, nowMs, intervalMsOf(picture));
    const shape = shapeOf(picture);
    if (shape === this.shape) return;
    this.shape = shape;
    onFault(null);
    onShape(picture);
  }

  /** Another way of showing is another count: figures of two ways would not add up. */
  private decide(lack: NoFeedback | null): void {
    if (lack === this.lack) return;
    this.lack = lack;
    if (lack !== null && lack !== 'probing') {
      this.video?.close();
      this.video = null;
    }
    this.counter =
      lack === 'probing'
        ? null
        : new DisplayCounter(lack === null ? DisplayStage.presented : DisplayStage.uploaded);
    this.options.onFeedback(lack);
  }

  private readonly loseContext = (event: Event): void => {
    // Without this the browser never gives the context back.
    event.preventDefault();
    this.painter = null;
    this.options.onFault('context-lost');
  };

  private readonly regainContext = (): void => {
    this.shape = '';
    this.options.onFault(null);
  };
}

function frameOf({ frameNumber, sourceId }: PictureMessage): FrameId | null {
  return frameNumber === null ? null : { sourceId, frameNumber };
}

const fallbackIntervalMs = 1000 / 60;

function intervalMsOf({ rateNumerator, rateDenominator, everyNth }: PictureMessage): number {
  return rateNumerator === 0 ? fallbackIntervalMs : (everyNth * 1000 * rateDenominator) / rateNumerator;
}

function shapeOf(picture: PictureMessage): string {
  const { streamWidth, streamHeight, isField, width, height, everyNth, rateNumerator, rateDenominator } =
    picture;
  return [streamWidth, streamHeight, isField, width, height, everyNth, rateNumerator, rateDenominator].join(
    ' ',
  );
}
