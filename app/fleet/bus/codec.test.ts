import { ExtData, encode } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { cases, Random, seeds } from '../../testing/random';
import { decodeValue, encodeValue } from './codec';
import { mostBytes, mostLevels, mostValues } from './layout';

const arrays = {
  bytes: new Uint8Array([0, 1, 255]),
  signedBytes: new Int8Array([-128, 0, 127]),
  words: new Uint16Array([0, 65535]),
  signedWords: new Int16Array([-32768, 32767]),
  longs: new Uint32Array([4294967295]),
  signedLongs: new Int32Array([-2147483648]),
  singles: new Float32Array([0.5, Number.NaN, Number.NEGATIVE_INFINITY]),
  doubles: new Float64Array([1e300, -0.1, Number.POSITIVE_INFINITY]),
  none: new Float64Array(0),
};

const plain = {
  nothing: null,
  yes: true,
  no: false,
  numbers: [
    0,
    -1,
    127,
    128,
    255,
    65535,
    65536,
    -129,
    2 ** 32,
    Number.MAX_SAFE_INTEGER,
    -(2 ** 40),
    0.1,
    -1e-300,
  ],
  texts: ['', 'a', 'ä𝄞', 'x'.repeat(70_000)],
  lists: [[], [[]], Array.from({ length: 70_000 }, () => 7)],
  object: { '': {}, 'a b': { 7: [{}] } },
};

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

function refusalOf(bytes: ArrayLike<number>): string | undefined {
  return decodeValue(Uint8Array.from(bytes)).refused;
}

test('plain values and typed arrays come back as they were', () => {
  expect(decodeValue(encodeValue(plain))).toEqual({ value: plain });
  expect(decodeValue(encodeValue(arrays))).toEqual({ value: arrays });
  expect(decodeValue(encodeValue({ here: 1, gone: undefined }))).toEqual({ value: { here: 1 } });
});

test.each([0, 1, 2, 3, 5, 7])(
  'typed arrays are aligned copies, at %d bytes into what was received',
  (offset) => {
    const encoded = encodeValue(arrays);
    const received = Buffer.alloc(encoded.length + offset);
    received.set(encoded, offset);
    const decoded = decodeValue(received.subarray(offset));
    received.fill(0);
    expect(decoded).toEqual({ value: arrays });
    const { doubles, bytes } = (decoded as { value: typeof arrays }).value;
    expect([doubles.byteOffset, doubles.buffer.byteLength]).toEqual([0, doubles.byteLength]);
    expect([bytes.byteOffset, bytes.buffer.byteLength]).toEqual([0, bytes.byteLength]);
  },
);

test('a part of an array is sent alone, and a Buffer as bytes', () => {
  const part = new Float64Array([1, 2, 3]).subarray(1, 2);
  expect(decodeValue(encodeValue([part, Buffer.from('ab')]))).toEqual({
    value: [new Float64Array([2]), new Uint8Array([97, 98])],
  });
});

class Named {
  name = 'x';
}

test.each([
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a bigint', 1n],
  ['a RegExp', /x/],
  ['a Date', new Date(0)],
  ['an Error', new Error('x')],
  ['a Map', new Map([[1, 2]])],
  ['a Set', new Set([1])],
  ['an object of a class', new Named()],
  ['a DataView', new DataView(new ArrayBuffer(8))],
  ['a BigInt64Array', new BigInt64Array(1)],
  ['an extension', new ExtData(1, new Uint8Array(1))],
  ['a field called __proto__', JSON.parse('{"__proto__": 1}')],
  ['a field called constructor', { constructor: 1 }],
  ['a value nested too deep', nested(mostLevels + 1)],
  ['too many values', Array.from({ length: mostValues }, () => 1)],
  ['too many bytes', new Uint8Array(mostBytes)],
])('%s is not sent', (_, value) => {
  expect(() => encodeValue({ value: [value] })).toThrow(
    expect.objectContaining({
      code: 'INTERNAL',
      message: expect.stringMatching(/cannot be sent over the bus: ./),
    }),
  );
});

test('a value is nested as deep as is allowed, and no deeper', () => {
  expect(decodeValue(encodeValue(nested(mostLevels)))).toEqual({ value: nested(mostLevels) });
  expect(refusalOf(encode(nested(mostLevels + 1)))).toMatch(/nested more than 64 levels/);
  expect(refusalOf(new Uint8Array(1_000_000).fill(0x91))).toMatch(/nested more than 64 levels/);
});

test.each([
  ['nothing', []],
  ['a list that ends too early', [0x92, 1]],
  ['a list of billions', [0xdd, 255, 255, 255, 255]],
  ['an object of billions', [0xdf, 255, 255, 255, 255]],
  ['a text of billions', [0xdb, 255, 255, 255, 255]],
  ['an array of billions', [0xc9, 255, 255, 255, 255, 1]],
  ['more than a value', [1, 2]],
  ['what MessagePack never uses', [0xc1]],
  ['bytes without a type', [0xc4, 1, 7]],
  ['a timestamp', encode(new Date(0))],
  ['an extension of others', [0xd4, 9, 0]],
  ['half a double', [0xc7, 4, 8, 0, 0, 0, 0]],
  ['a number as a name', [0x81, 1, 1]],
  ['a list as a name', [0x81, 0x90, 1]],
  ['__proto__ as a name', [0x81, 0xa9, ...Buffer.from('__proto__'), 1]],
  ['constructor as a name', [0x81, 0xab, ...Buffer.from('constructor'), 1]],
  ['prototype as a name', [0x81, 0xa9, ...Buffer.from('prototype'), 1]],
])('%s is refused', (_, bytes) => {
  expect(refusalOf(bytes)).toMatch(/./);
});

test('a name that is written in too many bytes is not taken for another one', () => {
  const overlong = [...Buffer.from('constructo'), 0xc1, 0xb2];
  const decoded = decodeValue(Uint8Array.from([0x81, 0xa0 + overlong.length, ...overlong, 1]));
  expect(decoded).toEqual({ value: { 'constructo\ufffd\ufffd': 1 } });
});

test('many small values are refused before they take memory, and so are too many bytes', () => {
  const lists = new Uint8Array(2_000_005).fill(0x80);
  lists.set([0xdd, 0, 0x1e, 0x84, 0x80]);
  expect(refusalOf(lists)).toMatch(/more than 1000000 values/);
  expect(refusalOf(new Uint8Array(mostBytes + 1))).toMatch(/16777216 are allowed/);
});

const [seed] = seeds;
const good = [
  plain,
  arrays,
  { sources: [{ records: { atByte: 0, length: 3 } }], block: arrays.doubles },
  [null],
  'x',
];
/** Heads of all kinds, and what lengths are made of. */
const telling = [
  0x00,
  0x7f,
  0x80,
  0x81,
  0x90,
  0x9f,
  0xa1,
  0xbf,
  0xff,
  ...Array.from({ length: 32 }, (_, n) => 0xc0 + n),
];

test(`whatever the bytes are, a plain value or a refusal comes out (seed ${seed})`, () => {
  const short = good.map((value) => encodeValue(value)).map((bytes) => bytes.slice(0, 4000));
  const whole = good.slice(1).map(encodeValue);
  const counts = { taken: 0, refused: 0 };
  for (let index = 0; index < cases(3000, 200_000); index++) {
    const random = new Random(seed + index);
    const bytes = random.chance(0.2) ? noise(random) : changed(random.pick([...whole, ...short]), random);
    const decoded = decodeValue(bytes);
    if (decoded.refused !== undefined) {
      expect(decoded.refused).not.toBe('');
      counts.refused++;
      continue;
    }
    counts.taken++;
    // All that is taken can be sent on, and is the same then.
    const again = decodeValue(encodeValue(decoded.value));
    expect(again, `WHITELINE_SEED=${seed + index}`).toEqual(decoded);
  }
  expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(100);
});

function noise(random: Random): Uint8Array {
  const byte = (): number => (random.chance(0.5) ? random.pick(telling) : random.whole(0, 255));
  return Uint8Array.from({ length: random.whole(0, 60) }, byte);
}

function changed(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = [...bytes.subarray(0, random.chance(0.2) ? random.whole(0, bytes.length) : bytes.length)];
  for (let left = random.whole(0, 4); left > 0; left--) {
    const at = random.whole(0, Math.min(copy.length, random.pick([8, 60, copy.length])));
    const put = random.chance(0.5) ? random.pick(telling) : random.whole(0, 255);
    copy.splice(at, random.whole(0, 1), ...(random.chance(0.8) ? [put] : []));
  }
  return Uint8Array.from(copy);
}
