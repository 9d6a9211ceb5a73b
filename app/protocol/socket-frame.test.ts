import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame } from './socket-frame';

/** As a WebSocket hands it over. */
function received(message: unknown): unknown {
  const frame = encodeFrame(message);
  return decodeFrame(typeof frame === 'string' ? frame : frame.slice().buffer);
}

test.each([
  { type: 'state', streams: [{ id: 1, lostNow: null }] },
  { type: 'subscribe', rateHz: 12 },
])('words travel as they are: %j', (message) => {
  expect(typeof encodeFrame(message)).toBe('string');
  expect(received(message)).toEqual(message);
});

test('a preview keeps its pixels, and their kind', () => {
  const pixels = Uint8ClampedArray.from([1, 2, 3, 255]);
  const preview = { type: 'preview', streamId: 3, width: 1, height: 1, frameNumber: 77, pixels };
  expect(received(preview)).toEqual(preview);
});

test('a texture may have several fields of bytes, of any length, and one that is absent', () => {
  const texture = {
    ...{ type: 'texture', frame: 9, alphaBlocks: null },
    ...{ blocks: new Uint8Array([9, 8, 7]), background: new Uint8Array([]) },
  };
  expect(received(texture)).toEqual(texture);
});

test.each(['', '1', '12', '123'])('numbers of frames keep their kind, wherever they begin: %j', (name) => {
  const captured = {
    ...{ type: 'captured', name },
    sourceIds: Uint16Array.from([1, 65_535, 7]),
    frameNumbers: Uint32Array.from([2, 4_294_967_295, 1]),
  };
  expect(received(captured)).toEqual(captured);
});

test('bytes that are a part of a larger buffer are cut out of it', () => {
  const whole = Uint8Array.from([0, 1, 2, 3, 4, 5]);
  expect(received({ type: 'texture', blocks: whole.subarray(2, 4) })).toMatchObject({
    blocks: new Uint8Array([2, 3]),
  });
});

test('a result may have columns of its own, beside words', () => {
  const reply = {
    ...{ type: 'reply', requestId: 7, problem: null },
    result: {
      ...{ isWhole: true, firstMs: null },
      atMs: Float64Array.from([1_790_000_000_000.25, Number.NaN]),
      longestMs: Float32Array.from([16.5]),
      empty: new Uint8Array([]),
    },
  };
  expect(received(reply)).toEqual(reply);
});

test('a buffer of Node’s travels as bytes alone, not as words too', () => {
  const frame = encodeFrame({ type: 'preview', pixels: Buffer.alloc(1000, 255) });
  expect(frame).toBeInstanceOf(Uint8Array);
  expect(frame.length).toBeLessThan(1200);
});
