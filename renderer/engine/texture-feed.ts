import {
  mostTexturesPerSecond,
  type TextureAnswer,
  type TextureMessage,
  type TextureRequest,
} from '../../app/protocol/textures';

type Listener = (answer: TextureAnswer) => void;

/** The window's end of the port to the sending stream host: one source at a time, one texture on its way. */
export class TextureFeed {
  private port: MessagePort | null = null;
  private wanted: { streamId: number; listener: Listener } | null = null;

  /** A new sending host is a new process, which must be asked for what is wanted. */
  takePort(port: MessagePort): void {
    this.port?.close();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<TextureAnswer>) => this.receive(data);
    if (this.wanted) this.subscribe(this.wanted.streamId, mostTexturesPerSecond);
  }

  /** Each texture is to be acknowledged once it is drawn. Returns how to end it. */
  follow(streamId: number, listener: Listener): () => void {
    const wanted = { streamId, listener };
    this.wanted = wanted;
    this.subscribe(streamId, mostTexturesPerSecond);
    return () => {
      if (this.wanted !== wanted) return;
      this.wanted = null;
      this.subscribe(streamId, 0);
    };
  }

  acknowledge({ sequence }: TextureMessage): void {
    this.post({ type: 'acknowledge', sequence });
  }

  private subscribe(streamId: number, rateHz: number): void {
    this.post({ type: 'subscribe', streamId, rateHz });
  }

  private receive(answer: TextureAnswer): void {
    if (answer.streamId === this.wanted?.streamId) this.wanted.listener(answer);
  }

  private post(request: TextureRequest): void {
    this.port?.postMessage(request);
  }
}
