import { expect, test } from 'vitest';
import type { NoTextureMessage, TextureAnswer } from '../../app/protocol/textures';
import { TextureFeed } from './texture-feed';

class FakePort {
  readonly sent: unknown[] = [];
  isClosed = false;
  onmessage: ((event: { data: TextureAnswer }) => void) | null = null;

  postMessage(message: unknown): void {
    this.sent.push(message);
  }

  close(): void {
    this.isClosed = true;
  }
}

function portOf(feed: TextureFeed): FakePort {
  const port = new FakePort();
  feed.takePort(port as unknown as MessagePort);
  return port;
}

function answer(streamId: number): NoTextureMessage {
  return { type: 'no-texture', streamId, reason: 'not-hap', message: '' };
}

test('what is followed before there is a port is asked for once there is one, and again of the next host', () => {
  const feed = new TextureFeed();
  feed.follow(3, () => {});
  const wanted = [{ type: 'subscribe', streamId: 3, rateHz: 30 }];
  const first = portOf(feed);
  expect(first.sent).toEqual(wanted);
  const second = portOf(feed);
  expect(first.isClosed).toBe(true);
  expect(second.sent).toEqual(wanted);
});

test('answers reach whatever follows their stream, and no one after the end', () => {
  const feed = new TextureFeed();
  const port = portOf(feed);
  const heard: TextureAnswer[] = [];
  const stop = feed.follow(3, (message) => heard.push(message));
  port.onmessage?.({ data: answer(2) });
  port.onmessage?.({ data: answer(3) });
  stop();
  port.onmessage?.({ data: answer(3) });
  expect(heard).toEqual([answer(3)]);
  expect(port.sent.at(-1)).toEqual({ type: 'subscribe', streamId: 3, rateHz: 0 });
});

test('the end of an old view does not end the new one', () => {
  const feed = new TextureFeed();
  const port = portOf(feed);
  const stopOld = feed.follow(1, () => {});
  const heard: TextureAnswer[] = [];
  feed.follow(2, (message) => heard.push(message));
  stopOld();
  expect(port.sent.at(-1)).toEqual({ type: 'subscribe', streamId: 2, rateHz: 30 });
  port.onmessage?.({ data: answer(2) });
  expect(heard).toHaveLength(1);
});
