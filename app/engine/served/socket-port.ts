import type { RawData, WebSocket } from 'ws';
import { decodeFrame, encodeFrame } from '../../protocol/socket-frame';
import type { ViewPort } from '../child-views';
import type { WindowPort } from '../console-server';

/** A page's WebSocket in the place of a window's port. */
export class SocketPort implements WindowPort, ViewPort {
  constructor(private readonly socket: WebSocket) {
    // A page that goes in the middle of a message ends its socket; `close` follows.
    socket.on('error', () => undefined);
  }

  post(message: unknown): void {
    const { readyState, OPEN } = this.socket;
    if (readyState === OPEN) this.socket.send(encodeFrame(message));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.socket.on('message', (data, isBinary) => listener(isBinary ? null : messageOf(data)));
  }

  onClose(listener: () => void): void {
    this.socket.on('close', listener);
  }

  close(): void {
    this.socket.close();
  }
}

/** Null for what is no JSON: whoever listens refuses it like any other message that is wrong. */
function messageOf(data: RawData): unknown {
  try {
    return decodeFrame(data.toString());
  } catch {
    return null;
  }
}
