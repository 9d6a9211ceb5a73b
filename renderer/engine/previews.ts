import {
  listPreviewsRateHz,
  type PreviewMessage,
  type PreviewRequest,
  type PreviewSubscription,
} from '../../app/protocol/console';
import type { ElsewherePreviews } from './elsewhere-previews';

/** Previews are as wide as they are shown, in steps: not each pixel by which a window grows asks for others. */
const widthStep = 16;
const listPreviewsMostWidth = 256;
/** As many as a run has streams, nearly always. */
const mostKept = 64;

interface AttachOptions {
  /** Wider previews would load the receiving process and the port more than they show. */
  mostWidth?: number;
  rateHz?: number;
  /** Another machine receives it, and few small pictures come of it. */
  isElsewhere?: boolean;
  onDrawn?: (preview: PreviewMessage) => void;
}

interface Attached {
  streamId: number;
  mostWidth: number;
  rateHz: number;
  isElsewhere: boolean;
  onDrawn?: AttachOptions['onDrawn'];
  /** Nothing is asked for or drawn where it cannot be seen: outside of the pane, mostly. */
  isVisible: boolean;
  /** Of the canvas, in pixels of the page. */
  box: { width: number; height: number };
  /** The newest that was not drawn yet. */
  waiting: PreviewMessage | null;
}

/**
 * Asks the receiving stream host for the previews that can be seen, as large as they are, and draws them onto their canvases: the
 * newest of each, once for each picture of the window.
 */
export class Previews {
  private port: MessagePort | null = null;
  /** What the window subscribed to last, as text. */
  private subscribed = '';
  private isDrawingDue = false;
  private readonly canvases = new Map<HTMLCanvasElement, Attached>();
  /** Of each stream the picture that came last: one that has stopped shows it again after another screen. */
  private readonly newest = new Map<number, PreviewMessage>();
  private readonly visibility = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      const attached = this.canvases.get(target as HTMLCanvasElement);
      if (attached) attached.isVisible = isIntersecting;
    }
    this.drawSoon();
  });
  private readonly sizes = new ResizeObserver((changes) => {
    for (const { target, contentRect } of changes) {
      const attached = this.canvases.get(target as HTMLCanvasElement);
      if (attached) attached.box = contentRect;
    }
    this.drawSoon();
  });

  constructor(private readonly elsewhere: Pick<ElsewherePreviews, 'show' | 'forget'>) {}

  takePort(port: MessagePort): void {
    this.port?.close();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<PreviewMessage>) => this.receive(data);
    this.subscribed = '';
    this.newest.clear();
    this.subscribe();
  }

  attach(streamId: number, canvas: HTMLCanvasElement, options: AttachOptions = {}): () => void {
    const {
      mostWidth = listPreviewsMostWidth,
      rateHz = listPreviewsRateHz,
      isElsewhere = false,
      onDrawn,
    } = options;
    this.canvases.set(canvas, {
      streamId,
      mostWidth,
      rateHz,
      isElsewhere,
      onDrawn,
      isVisible: false,
      box: { width: 0, height: 0 },
      waiting: this.newest.get(streamId) ?? null,
    });
    this.visibility.observe(canvas);
    this.sizes.observe(canvas);
    return () => {
      this.visibility.unobserve(canvas);
      this.sizes.unobserve(canvas);
      this.canvases.delete(canvas);
      if (isElsewhere) this.elsewhere.forget(streamId);
      this.drawSoon();
    };
  }

  /** To what can be seen, unless the window has that subscription. */
  private subscribe(): void {
    this.elsewhere.show(seen(this.canvases, true));
    const visible = [...this.canvases.values()].filter(({ isVisible }) => isVisible);
    const rateHz = Math.max(listPreviewsRateHz, ...visible.map((attached) => attached.rateHz));
    const request: PreviewSubscription = { type: 'subscribe', rateHz, streams: seen(this.canvases, false) };
    const text = JSON.stringify(request);
    if (text === this.subscribed) return;
    this.subscribed = text;
    this.ask(request);
  }

  private ask(request: PreviewRequest): void {
    this.port?.postMessage(request);
  }

  receive(preview: PreviewMessage): void {
    if (preview.confirm) this.ask({ type: 'confirmed', streamId: preview.streamId });
    this.keep(preview);
    for (const attached of this.canvases.values()) {
      if (attached.streamId !== preview.streamId) continue;
      attached.waiting = preview;
      if (attached.isVisible) this.drawSoon();
    }
  }

  /** Of the streams that came last: those of runs that are over make room. */
  private keep(preview: PreviewMessage): void {
    this.newest.delete(preview.streamId);
    this.newest.set(preview.streamId, preview);
    const [oldest] = this.newest.keys();
    if (this.newest.size > mostKept && oldest !== undefined) this.newest.delete(oldest);
  }

  private drawSoon(): void {
    if (this.isDrawingDue) return;
    this.isDrawingDue = true;
    requestAnimationFrame(() => {
      this.isDrawingDue = false;
      this.subscribe();
      for (const [canvas, attached] of this.canvases) drawWaiting(canvas, attached);
    });
  }
}

/** Of the streams that another machine receives, or of those that this one does. */
function seen(
  canvases: ReadonlyMap<HTMLCanvasElement, Attached>,
  elsewhere: boolean,
): PreviewSubscription['streams'] {
  const widths = new Map<number, number>();
  for (const [canvas, { streamId, isVisible, isElsewhere, box, mostWidth }] of canvases) {
    if (!isVisible || box.width === 0 || isElsewhere !== elsewhere) continue;
    // A picture of another shape does not fill its box.
    const width = Math.min(box.width, (box.height * canvas.width) / canvas.height);
    // That of the display on which the window is now: none of the observers reports another one.
    const displayPixels = Math.max(1, width * devicePixelRatio);
    const wanted = Math.min(mostWidth, Math.ceil(displayPixels / widthStep) * widthStep);
    widths.set(streamId, Math.max(wanted, widths.get(streamId) ?? 0));
  }
  return [...widths].map(([streamId, maxWidth]) => ({ streamId, maxWidth }));
}

function drawWaiting(canvas: HTMLCanvasElement, attached: Attached): void {
  const { waiting, isVisible, onDrawn } = attached;
  if (!waiting || !isVisible) return;
  attached.waiting = null;
  draw(canvas, waiting);
  onDrawn?.(waiting);
}

function draw(canvas: HTMLCanvasElement, { width, height, frameNumber, pixels }: PreviewMessage): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
  canvas.dataset.frameNumber = String(frameNumber);
}
