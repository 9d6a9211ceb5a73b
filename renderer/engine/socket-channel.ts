import { type ServedChannel, servedProtocol } from '../../app/protocol/served';
import { decodeFrame, encodeFrame } from '../../app/protocol/socket-frame';

/** One WebSocket to the process that serves this page. What is sent before it is open waits for it. */
export class SocketChannel {
  private readonly socket: WebSocket;
  private readonly unsent: unknown[] = [];
  private isEnded = false;

  constructor(
    channel: ServedChannel,
    token: string,
    listener: {
      onMessage(message: unknown, transfer: Transferable[]): void;
      onOpen?(): void;
      /** Not asked for: the server is gone, or did not let us in. */
      onLost?(): void;
    },
  ) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/${channel}`, [servedProtocol, token]);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => {
      for (const message of this.unsent.splice(0)) this.socket.send(encodeFrame(message));
      listener.onOpen?.();
    };
    this.socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) =>
      listener.onMessage(decodeFrame(data), typeof data === 'string' ? [] : [data]);
    this.socket.onclose = () => {
      if (!this.isEnded) listener.onLost?.();
    };
  }

  send(message: unknown): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(encodeFrame(message));
    else this.unsent.push(message);
  }

  close(): void {
    this.isEnded = true;
    this.socket.close();
  }
}
