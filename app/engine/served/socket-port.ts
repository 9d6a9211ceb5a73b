import type { RawData, WebSocket } from 'ws';
import { isShallow } from '../../protocol/nesting';
import { plainLine } from '../../protocol/plain-text';
import { decodeFrame, encodeFrame } from '../../protocol/socket-frame';
import type { WindowPort } from '../console-server';
import type { ViewPort } from './child-views';

/** A page that leaves more than this unread, a run of some hours many times over, does not read. */
const mostUnreadBytes = 64_000_000;
/** With more than this unread, or as much under way, no further request is begun. */
const waitAtUnreadBytes = 1_000_000;
const mostUnanswered = 100;
const mostUnansweredBytes = 4_000_000;

/** RFC 6455: the server could not do what was asked. */
const serverFault = 1011;

/**
 * A page's WebSocket in the place of a window's port. What it makes this process keep is limited: while too much is
 * unanswered or unread, nothing more is taken from it, and one that does not read is ended.
 */
export class SocketPort implements WindowPort, ViewPort {
  private readonly waiting: (RawData | null)[] = [];
  private unanswered = 0;
  private unansweredBytes = 0;
  private listener: (message: unknown) => Promise<void> = async () => undefined;

  constructor(private readonly socket: WebSocket) {
    // A page that goes in the middle of a message ends its socket; `close` follows.
    socket.on('error', () => undefined);
    // What a page that is gone still wanted is dropped.
    socket.on('close', () => this.waiting.splice(0));
    socket.on('message', (data, isBinary) => {
      this.waiting.push(isBinary ? null : data);
      this.takeWaiting();
    });
  }

  post(message: unknown): void {
    const { socket } = this;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > mostUnreadBytes) socket.terminate();
    else socket.send(encodeFrame(message), () => this.takeWaiting());
  }

  /** `listener` resolves once the message is dealt with. */
  onMessage(listener: (message: unknown) => Promise<void>): void {
    this.listener = listener;
  }

  onClose(listener: () => void): void {
    this.socket.on('close', listener);
  }

  close(): void {
    this.socket.close();
  }

  private get isBusy(): boolean {
    return (
      this.unanswered >= mostUnanswered ||
      this.unansweredBytes >= mostUnansweredBytes ||
      this.socket.bufferedAmount >= waitAtUnreadBytes
    );
  }

  private takeWaiting(): void {
    while (this.waiting.length > 0 && !this.isBusy) void this.take(this.waiting.shift() ?? null);
    if (this.waiting.length > 0) this.socket.pause();
    else this.socket.resume();
  }

  /** What a listener throws ends this page's socket and nothing else. */
  private async take(data: RawData | null): Promise<void> {
    const text = data?.toString() ?? '';
    this.unanswered += 1;
    this.unansweredBytes += text.length;
    try {
      await this.listener(messageOf(text));
    } catch (error) {
      process.stderr.write(`whiteline: a page’s message failed: ${plainLine(String(error))}\n`);
      this.socket.close(serverFault);
    }
    this.unanswered -= 1;
    this.unansweredBytes -= text.length;
    this.takeWaiting();
  }
}

/** Null for what is no JSON, or no message of ours can be: the listener refuses it like any other wrong message. */
function messageOf(text: string): unknown {
  try {
    const message = decodeFrame(text);
    return isShallow(message) ? message : null;
  } catch {
    return null;
  }
}
