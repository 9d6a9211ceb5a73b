import type { DisplayMessage, DisplayRequest } from '../../app/protocol/display';

/** The window's end of the port to the receiving stream host: every picture of one stream. */
export class DisplayFeed {
  private port: MessagePort | null = null;
  private streamId: number | null = null;
  private listener: (message: DisplayMessage) => void = () => undefined;

  /** A new receiving host is a new process, which must be asked for what is wanted. */
  takePort(port: MessagePort): void {
    this.port?.close();
    this.port = port;
    port.onmessage = ({ data }: MessageEvent<DisplayMessage>) => this.receive(data);
    if (this.streamId !== null) this.send({ type: 'view', streamId: this.streamId });
  }

  /** Each picture is to be acknowledged with `done`. Returns how to end it. */
  view(streamId: number, listener: (message: DisplayMessage) => void): () => void {
    this.streamId = streamId;
    this.listener = listener;
    this.send({ type: 'view', streamId });
    return () => {
      if (this.listener !== listener) return;
      this.streamId = null;
      this.listener = () => undefined;
      this.send({ type: 'view', streamId: null });
    };
  }

  done(sequence: number): void {
    this.send({ type: 'done', sequence });
  }

  private receive(message: DisplayMessage): void {
    if (message.streamId === this.streamId) this.listener(message);
    // Sent before the window asked for another stream.
    else if (message.type === 'picture') this.done(message.sequence);
  }

  private send(request: DisplayRequest): void {
    this.port?.postMessage(request);
  }
}
