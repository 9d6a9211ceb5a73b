import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { Lookers } from './lookers';

/** A page's socket, and what it was sent. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  readonly sent: { requestId: number; problem: { message: string } | null }[] = [];
  readonly pause = (): void => undefined;
  readonly resume = (): void => undefined;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  ask(name: string, count: number): void {
    for (let requestId = 1; requestId <= count; requestId++)
      this.emit('message', Buffer.from(JSON.stringify({ type: 'request', requestId, command: { name } })));
  }
}

/** Answers what was begun, once it is told to. */
class SlowArchive {
  readonly begun: number[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly lookers: Lookers) {}

  open(socket = new FakeSocket()): FakeSocket {
    const port = this.lookers.admit(socket as unknown as WebSocket, 'archive');
    port.onMessage((message) => {
      this.begun.push(Object(message).requestId);
      return new Promise((resolve) => this.ends.push(resolve));
    });
    return socket;
  }

  end(): void {
    for (const end of this.ends.splice(0)) end();
  }
}

/** All that is due by now has run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
}

test('of 3,000 requests of a page that looks four are under way, some wait in order, and the others are refused with a sentence', async () => {
  const archive = new SlowArchive(new Lookers());
  const socket = archive.open();
  socket.ask('openRun', 3000);
  await turns();
  expect(archive.begun).toEqual([1, 2, 3, 4]);
  const sentence =
    'This page only looks, and 32 of its requests are not answered yet: no further one is taken';
  expect(socket.sent).toHaveLength(2968);
  expect(new Set(socket.sent.map(({ problem }) => problem?.message))).toEqual(new Set([sentence]));
  expect(socket.sent[0]).toMatchObject({ requestId: 33, problem: { remedy: 'Ask again after an answer' } });
  archive.end();
  await turns();
  expect(archive.begun).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('all pages that look have eight requests under way on a channel, and one that goes gives its turns back', async () => {
  const archive = new SlowArchive(new Lookers());
  const sockets = Array.from({ length: 5 }, () => archive.open());
  for (const socket of sockets) socket.ask('listRuns', 4);
  await turns();
  expect(archive.begun).toHaveLength(8);
  // Of these, none has begun yet.
  for (const socket of sockets.slice(2, 4)) socket.emit('close');
  archive.end();
  await turns();
  expect(archive.begun).toHaveLength(12);
  archive.end();
  await turns();
  archive.open().ask('listRuns', 8);
  await turns();
  expect(archive.begun).toHaveLength(16);
});

test('between the requests of a page that looks, others have their turn', async () => {
  const socket = new FakeSocket();
  const order: string[] = [];
  const port = new Lookers().admit(socket as unknown as WebSocket, 'engine');
  port.onMessage(async () => void order.push('look'));
  socket.ask('hello', 12);
  const operate = (): void => {
    order.push('operate');
    if (order.length < 20) setImmediate(operate);
  };
  setImmediate(operate);
  await turns();
  expect(order.filter((who) => who === 'look')).toHaveLength(12);
  expect(order.join(' ')).not.toMatch(/(look ?){5}/);
});
