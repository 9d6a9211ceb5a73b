import type { PreviewMessage, PreviewSubscription } from '../../app/protocol/console';

const smallPreviews: PreviewSubscription = { type: 'subscribe', rateHz: 12, maxWidth: 256 };

type OnDrawn = (preview: PreviewMessage) => void;

/** Draws the previews that come straight from the receiving stream host onto canvases. */
export class Previews {
  private port: MessagePort | null = null;
  private subscription = smallPreviews;
  private readonly canvases = new Map<HTMLCanvasElement, { streamId: number; onDrawn?: OnDrawn }>();

  takePort(port: MessagePort): void {
    this.port?.close();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<PreviewMessage>) => this.receive(data);
    port.postMessage(this.subscription);
  }

  attach(streamId: number, canvas: HTMLCanvasElement, onDrawn?: OnDrawn): () => void {
    this.canvases.set(canvas, { streamId, onDrawn });
    return () => this.canvases.delete(canvas);
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
    this.port?.postMessage(subscription);
  }

  private receive(preview: PreviewMessage): void {
    for (const [canvas, { streamId, onDrawn }] of this.canvases) {
      if (streamId !== preview.streamId) continue;
      draw(canvas, preview);
      onDrawn?.(preview);
    }
  }
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
