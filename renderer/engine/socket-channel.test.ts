import { beforeEach, expect, test, vi } from 'vitest';
import { servedProtocol } from '../../app/protocol/served';
import { encodeFrame } from '../../app/protocol/socket-frame';
import { SocketChannel } from './socket-channel';

/** A socket of a page, which opens, receives and closes when it is told to. */
class MadeUpSocket {
  static readonly OPEN = 1;
  readyState = 0;
  binaryType = '';
  readonly sent: unknown[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onclose: () => void = () => undefined;

  constructor(
    readonly url: string,
    readonly protocols: string[],
  ) {
    socket = this;
  }

  send(frame: unknown): void {
    this.sent.push(frame);
  }

  open(): void {
    this.readyState = MadeUpSocket.OPEN;
    this.onopen();
  }

  close(): void {
    this.onclose();
  }
}

let socket: MadeUpSocket;
const listener = { onMessage: vi.fn(), onOpen: vi.fn(), onLost: vi.fn() };
let channel: SocketChannel;

beforeEach(() => {
  vi.clearAllMocks();
  vi.stubGlobal('WebSocket', MadeUpSocket);
  vi.stubGlobal('location', { host: 'rack-04:8080' });
  channel = new SocketChannel('engine', 'token', listener);
});

test('what is sent before the socket is open waits for it, each message once and in order', () => {
  expect([socket.url, socket.protocols]).toEqual(['ws://rack-04:8080/engine', [servedProtocol, 'token']]);
  channel.send({ number: 1 });
  channel.send({ number: 2 });
  expect(socket.sent).toEqual([]);
  socket.open();
  expect(listener.onOpen).toHaveBeenCalledOnce();
  channel.send({ number: 3 });
  expect(socket.sent).toEqual([1, 2, 3].map((number) => `{"number":${number}}`));
});

test('words are given as they came, columns with the bytes that they lie in', () => {
  socket.onmessage({ data: '{"number":1}' });
  expect(listener.onMessage).toHaveBeenLastCalledWith({ number: 1 }, []);
  const frame = encodeFrame({ numbers: Uint32Array.of(7, 8) });
  if (typeof frame === 'string') throw new Error('columns are no words');
  socket.onmessage({ data: frame.buffer });
  expect(listener.onMessage).toHaveBeenLastCalledWith({ numbers: Uint32Array.of(7, 8) }, [frame.buffer]);
});

test('a socket that closes is lost, unless it was closed from here', () => {
  socket.onclose();
  expect(listener.onLost).toHaveBeenCalledOnce();
  channel.close();
  expect(listener.onLost).toHaveBeenCalledOnce();
});
