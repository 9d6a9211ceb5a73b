import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { ChildViews } from './child-views';

class FakeChild extends EventEmitter {
  readonly connected = true;
  readonly sent: unknown[] = [];

  send(message: unknown): void {
    this.sent.push(message);
  }
}

let child: FakeChild;
let views: ChildViews;
let ask: (data: unknown) => Promise<void>;
let leave: () => void;
/** By what was asked, in the order in which they were dealt with. */
let dealtWith: string[];

beforeEach(() => {
  child = new FakeChild();
  views = new ChildViews(child as unknown as ChildProcess);
  dealtWith = [];
  views.connect('window-port', {
    post: () => undefined,
    onMessage: (listener) => {
      ask = listener;
    },
    onClose: (listener) => {
      leave = listener;
    },
    close: () => undefined,
  });
});

function asked(name: string): void {
  void ask(name).then(() => dealtWith.push(name));
}

test('what a port asked before it was closed is under way until the child has dealt with it', async () => {
  asked('first');
  asked('second');
  leave();
  await new Promise(setImmediate);
  expect(dealtWith).toEqual([]);
  child.emit('message', { type: 'port-taken', portId: 1 });
  child.emit('message', { type: 'port-taken', portId: 1 });
  await new Promise(setImmediate);
  expect(dealtWith).toEqual(['first', 'second']);
});

test('with the child gone nothing is under way any more, and a message to it is dealt with at once', async () => {
  asked('before');
  child.emit('exit');
  await new Promise(setImmediate);
  asked('after');
  await new Promise(setImmediate);
  expect([dealtWith, child.sent.length]).toEqual([['before', 'after'], 2]);
});
