import type { PreviewMessage, PreviewSubscription } from '../../app/protocol/console';

const subscription: PreviewSubscription = { type: 'subscribe', rateHz: 12, maxWidth: 256 };

/** Draws the previews that come straight from the receiving stream host onto the canvases of the strips. */
export class Previews {
  private port: MessagePort | null = null;
  private readonly canvases = new Map<number, HTMLCanvasElement>();

  takePort(port: MessagePort): void {
    this.port?.close();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<PreviewMessage>) => this.draw(data);
    port.postMessage(subscription);
  }

  attach(streamId: number, canvas: HTMLCanvasElement): () => void {
    this.canvases.set(streamId, canvas);
    return () => this.canvases.delete(streamId);
  }

  private draw({ streamId, width, height, frameNumber, pixels }: PreviewMessage): void {
    const canvas = this.canvases.get(streamId);
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.putImageData(new ImageData(new Uint8ClampedArray(pixels), width, height), 0, 0);
    canvas.dataset.frameNumber = String(frameNumber);
  }
}
