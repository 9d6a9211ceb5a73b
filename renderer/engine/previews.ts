import type { PreviewMessage, PreviewRequest, PreviewSubscription } from '../../app/protocol/console';

const smallPreviews: PreviewSubscription = { type: 'subscribe', rateHz: 12, maxWidth: 256 };

type OnDrawn = (preview: PreviewMessage) => void;

interface Attached {
  streamId: number;
  onDrawn?: OnDrawn;
  /** Nothing is drawn where it cannot be seen: outside of the pane, mostly. */
  isVisible: boolean;
  /** The newest that was not drawn yet. */
  waiting: PreviewMessage | null;
}

/**
 * Draws the previews that come straight from the receiving stream host onto canvases: the newest of each, once for each
 * picture of the window.
 */
export class Previews {
  private port: MessagePort | null = null;
  private subscription = smallPreviews;
  private isDrawingDue = false;
  private readonly canvases = new Map<HTMLCanvasElement, Attached>();
  private readonly visibility = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      const attached = this.canvases.get(target as HTMLCanvasElement);
      if (attached) attached.isVisible = isIntersecting;
    }
    this.drawSoon();
  });

  takePort(port: MessagePort): void {
    this.port?.close();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<PreviewMessage>) => this.receive(data);
    this.ask(this.subscription);
  }

  attach(streamId: number, canvas: HTMLCanvasElement, onDrawn?: OnDrawn): () => void {
    this.canvases.set(canvas, { streamId, onDrawn, isVisible: false, waiting: null });
    this.visibility.observe(canvas);
    return () => {
      this.visibility.unobserve(canvas);
      this.canvases.delete(canvas);
    };
  }

  /** Asks for larger previews of one stream, in the place of another that was large before. */
  enlarge(streamId: number, maxWidth: number): () => void {
    this.subscribe({ ...smallPreviews, large: { streamId, maxWidth } });
    return () => {
      if (this.subscription.large?.streamId === streamId) this.subscribe(smallPreviews);
    };
  }

  private subscribe(subscription: PreviewSubscription): void {
    this.subscription = subscription;
    this.ask(subscription);
  }

  private ask(request: PreviewRequest): void {
    this.port?.postMessage(request);
  }

  private receive(preview: PreviewMessage): void {
    if (preview.confirm) this.ask({ type: 'confirmed', streamId: preview.streamId });
    for (const attached of this.canvases.values()) {
      if (attached.streamId !== preview.streamId) continue;
      attached.waiting = preview;
      if (attached.isVisible) this.drawSoon();
    }
  }

  private drawSoon(): void {
    if (this.isDrawingDue) return;
    this.isDrawingDue = true;
    requestAnimationFrame(() => {
      this.isDrawingDue = false;
      for (const [canvas, attached] of this.canvases) drawWaiting(canvas, attached);
    });
  }
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
