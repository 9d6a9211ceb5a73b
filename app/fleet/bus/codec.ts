import { Decoder, ExtData, encode } from '@msgpack/msgpack';
import { WhitelineError } from '../../protocol/errors';
import { mostBytes, mostLevels, problemOfLayout } from './layout';
import { arrayOf, extensionOf } from './typed-arrays';

/**
 * Values as MessagePack and back: null, booleans, numbers, texts, arrays, plain objects and typed arrays, which are extensions of our own.
 */

/** What bytes from elsewhere are, or why they are refused. */
export type Decoded = { value: unknown; refused?: undefined } | { refused: string };

/** Names that mean something else to JavaScript than a field. */
const refusedNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const extensions = {
  /** Asked for each value that is an object or no value at all: what it does not know, a message does not hold. */
  tryToEncode(value: unknown): ExtData | null {
    if (Array.isArray(value)) return null;
    if (ArrayBuffer.isView(value)) {
      const type = extensionOf(value);
      if (type !== undefined)
        return new ExtData(type, new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (isPlainObject(value)) {
      const refused = Object.keys(value).find((name) => refusedNames.has(name));
      if (refused === undefined) return null;
      throw new Error(noFieldIs(refused));
    }
    throw new Error(`It holds ${Object.prototype.toString.call(value)}`);
  },
  decode(bytes: Uint8Array, type: number): unknown {
    return arrayOf(type, bytes);
  },
};

const names = {
  canBeCached: () => true,
  decode(bytes: Uint8Array, at: number, length: number): string {
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('utf8');
    if (refusedNames.has(name)) throw new Error(noFieldIs(name));
    return name;
  },
};

function noFieldIs(name: string): string {
  return `No field may be called ${name}`;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * A field that is undefined is left out.
 * @throws WhitelineError INTERNAL for what a message cannot hold, is too deep or too large: a mistake of our own
 */
export function encodeValue(value: unknown): Uint8Array {
  try {
    const bytes = encode(value, { extensionCodec: extensions, maxDepth: mostLevels, ignoreUndefined: true });
    const problem = problemOfLayout(bytes);
    if (problem === null) return bytes;
    throw new Error(problem);
  } catch (error) {
    throw new WhitelineError({
      code: 'INTERNAL',
      message: `A value cannot be sent over the bus: ${(error as Error).message}`,
    });
  }
}

/** Never throws, whatever the bytes are. Nothing in the value refers to their memory. */
export function decodeValue(bytes: Uint8Array): Decoded {
  const refused = problemOfLayout(bytes);
  if (refused !== null) return { refused };
  try {
    const { buffer, byteOffset, byteLength } = bytes;
    // The limits of lengths are those of the bytes, which were just walked through.
    const most = [mostBytes, mostBytes, mostBytes, mostBytes, mostBytes] as const;
    const decoder = new Decoder<undefined>(extensions, undefined, ...most, names);
    return { value: decoder.decode(new Uint8Array(buffer, byteOffset, byteLength)) };
  } catch (error) {
    return { refused: (error as Error).message };
  }
}
