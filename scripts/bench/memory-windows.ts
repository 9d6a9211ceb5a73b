import type { ViewPort } from '../../app/engine/served/child-views';
import { listPreviewsRateHz, type PreviewMessage, type PreviewRequest } from '../../app/protocol/console';
import { mostTexturesPerSecond, type TextureAnswer, type TextureRequest } from '../../app/protocol/textures';

/** A window's end of a port into a host. */
class WindowPort<Request> {
  private listener: (data: unknown) => void = () => undefined;

  onMessage(listener: (data: unknown) => void): void {
    this.listener = listener;
  }

  onClose(): void {
    // It stays for as long as the host.
  }

  close(): void {
    this.listener = () => undefined;
  }

  protected ask(request: Request): void {
    this.listener(request);
  }
}

/** Of one or two streams in a console that is as large as it opens, on a display of one pixel per pixel of the page. */
const previewWidth = 176;

/** Takes previews, as the console does. */
export class PreviewWindow extends WindowPort<PreviewRequest> implements ViewPort {
  /** Previews that it took. */
  taken = 0;

  show(streamIds: number[]): void {
    const streams = streamIds.map((streamId) => ({ streamId, maxWidth: previewWidth }));
    this.ask({ type: 'subscribe', rateHz: listPreviewsRateHz, streams });
  }

  post(data: unknown): void {
    const { streamId, confirm } = data as PreviewMessage;
    this.taken += 1;
    if (confirm) this.ask({ type: 'confirmed', streamId });
  }
}

/** Takes the blocks of one stream's movie, if it is one. */
export class TextureWindow extends WindowPort<TextureRequest> implements ViewPort {
  show(streamId: number): void {
    this.ask({ type: 'subscribe', streamId, rateHz: mostTexturesPerSecond });
  }

  post(data: unknown): void {
    const answer = data as TextureAnswer;
    if (answer.type === 'texture') this.ask({ type: 'acknowledge', sequence: answer.sequence });
  }
}
