import { expect, test } from 'vitest';
import { Random, seeds } from '../../testing/random';
import { mostBytes } from './layout';
import { cut, Joiner, mostPayloadBytes, pieceBytes } from './pieces';

let lastId = 0;
const id = (): Uint8Array => new Uint8Array(new BigUint64Array([BigInt(++lastId)]).buffer);

function messageOf(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => (at * 31) % 192);
}

function piecesOf(bytes: number): Uint8Array[] {
  return cut(messageOf(bytes), id);
}

test('a message that fits is its own payload', () => {
  const message = messageOf(pieceBytes);
  expect(cut(message, id)[0]).toBe(message);
  expect(cut(message, id)).toHaveLength(1);
  expect(new Joiner().take(message, 'a', 0)).toHaveProperty('message', message);
});

test.each([pieceBytes + 1, 2 * pieceBytes, 1_234_567])(
  '%d bytes are cut, and joined in any order',
  (bytes) => {
    const pieces = piecesOf(bytes);
    expect(pieces).toHaveLength(Math.ceil(bytes / pieceBytes));
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(mostPayloadBytes);
    const joiner = new Joiner();
    const [last, ...rest] = [...pieces].reverse();
    for (const piece of rest) expect(joiner.take(piece, 'a', 0)).toEqual({ isWaiting: true });
    // Once more is the same as once.
    if (rest[0]) expect(joiner.take(rest[0], 'a', 0)).toEqual({ isWaiting: true });
    const joined = joiner.take(last ?? new Uint8Array(0), 'a', 0);
    expect('message' in joined && Buffer.from(joined.message).equals(messageOf(bytes))).toBe(true);
    expect([joiner.incomplete, joiner.dropped]).toEqual([0, 0]);
  },
);

test('messages of two senders, and two of one, do not mix', () => {
  const joiner = new Joiner();
  const [own, other] = [piecesOf(600_000), piecesOf(700_000)];
  const [first, second] = [own[0], own[1]] as [Uint8Array, Uint8Array];
  expect(joiner.take(first, 'a', 0)).toEqual({ isWaiting: true });
  expect(joiner.take(second, 'b', 0)).toEqual({ isWaiting: true });
  expect(joiner.take(other[1] as Uint8Array, 'a', 0)).toEqual({ isWaiting: true });
  expect(joiner.incomplete).toBe(3);
  expect(joiner.take(second, 'a', 0)).toHaveProperty('message.length', 600_000);
  expect(joiner.incomplete).toBe(2);
});

test('what is not complete after 10 s is dropped, and is not completed later', () => {
  const joiner = new Joiner();
  const [first, second] = piecesOf(600_000) as [Uint8Array, Uint8Array];
  joiner.take(first, 'a', 0);
  joiner.dropOld(10e9 - 1);
  expect([joiner.incomplete, joiner.dropped]).toEqual([1, 0]);
  joiner.dropOld(10e9);
  expect([joiner.incomplete, joiner.dropped]).toEqual([0, 1]);
  expect(joiner.take(second, 'a', 10e9)).toEqual({ isWaiting: true });
});

test('a sender that begins a fifth message loses its oldest, and no other sender loses any', () => {
  const joiner = new Joiner();
  const quiet = piecesOf(600_000) as [Uint8Array, Uint8Array];
  joiner.take(quiet[0], 'quiet', 0);
  const begun = Array.from({ length: 6 }, () => piecesOf(600_000) as [Uint8Array, Uint8Array]);
  for (const [first] of begun) joiner.take(first, 'busy', 0);
  expect([joiner.incomplete, joiner.dropped]).toEqual([5, 2]);
  expect(joiner.take(quiet[1], 'quiet', 0)).toHaveProperty('message');
  expect(joiner.take((begun[2] as [Uint8Array, Uint8Array])[1], 'busy', 0)).toHaveProperty('message');
});

/** The same piece with another number in its head. */
function withHead(piece: Uint8Array, place: number, value: number): Uint8Array {
  const copy = piece.slice();
  new DataView(copy.buffer).setUint32(9 + 4 * place, value);
  return copy;
}

const [sound = new Uint8Array(0)] = piecesOf(600_000);

test.each([
  ['no head', sound.slice(0, 21)],
  ['an index above the last', withHead(sound, 0, 2)],
  ['too many pieces', withHead(sound, 1, 3)],
  ['none', withHead(sound, 1, 0)],
  ['more bytes than are allowed', withHead(withHead(sound, 1, 34), 2, mostBytes + 1)],
  ['fewer bytes than need pieces', withHead(withHead(sound, 1, 1), 2, pieceBytes)],
  ['another length than its place has', sound.slice(0, -1)],
])('a piece with %s is refused', (_, piece) => {
  const joiner = new Joiner();
  expect(joiner.take(piece, 'a', 0)).toHaveProperty('refused');
  expect(joiner.incomplete).toBe(0);
});

test('a second piece that says another size is refused', () => {
  const joiner = new Joiner();
  const [first, second] = piecesOf(600_000) as [Uint8Array, Uint8Array];
  joiner.take(first, 'a', 0);
  const longer = new Uint8Array(second.length + 1);
  longer.set(second);
  expect(joiner.take(withHead(longer, 2, 600_001), 'a', 0)).toHaveProperty('refused');
  expect(joiner.take(second, 'a', 0)).toHaveProperty('message');
});

const [seed] = seeds;

test(`changed pieces never throw, and never take more than four messages (seed ${seed})`, () => {
  const joiner = new Joiner();
  const random = new Random(seed);
  const pieces = [...piecesOf(600_000), ...piecesOf(1_100_000)];
  for (let index = 0; index < 300; index++) {
    const piece = random.pick(pieces).slice();
    for (let left = random.whole(0, 3); left > 0; left--) piece[random.whole(0, 24)] = random.whole(0, 255);
    const joined = joiner.take(
      piece.subarray(0, random.chance(0.2) ? random.whole(0, 40) : piece.length),
      'a',
      index,
    );
    expect(Object.keys(joined)).toHaveLength(1);
    expect(joiner.incomplete).toBeLessThanOrEqual(4);
  }
});
