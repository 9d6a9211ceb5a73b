/** The typed arrays that a message may hold. */

export type TypedArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

interface Kind {
  name: string;
  /** Bytes of one element. */
  bytes: number;
  /** Of memory that begins with the first element and ends with the last. */
  of(memory: ArrayBuffer): TypedArray;
}

/** By the type of the extension that carries them: the bytes as they lie in memory, the low byte of each element first. */
const kinds: ReadonlyMap<number, Kind> = new Map([
  [1, { name: 'Uint8Array', bytes: 1, of: (memory) => new Uint8Array(memory) }],
  [2, { name: 'Int8Array', bytes: 1, of: (memory) => new Int8Array(memory) }],
  [3, { name: 'Uint16Array', bytes: 2, of: (memory) => new Uint16Array(memory) }],
  [4, { name: 'Int16Array', bytes: 2, of: (memory) => new Int16Array(memory) }],
  [5, { name: 'Uint32Array', bytes: 4, of: (memory) => new Uint32Array(memory) }],
  [6, { name: 'Int32Array', bytes: 4, of: (memory) => new Int32Array(memory) }],
  [7, { name: 'Float32Array', bytes: 4, of: (memory) => new Float32Array(memory) }],
  [8, { name: 'Float64Array', bytes: 8, of: (memory) => new Float64Array(memory) }],
]);

const types: ReadonlyMap<string, number> = new Map([...kinds].map(([type, { name }]) => [name, type]));

/** The extension of such an array; undefined: no message may hold this one. */
export function extensionOf(view: ArrayBufferView): number | undefined {
  // A Buffer is a Uint8Array too, and says so here.
  return types.get(Object.prototype.toString.call(view).slice('[object '.length, -1));
}

export function isWholeArray(type: number, bytes: number): boolean {
  const kind = kinds.get(type);
  return kind !== undefined && bytes % kind.bytes === 0;
}

/**
 * The array in memory of its own, which begins with it: what was received lies at any byte of a larger block.
 * @throws Error for another extension type, or bytes that are not a whole number of elements
 */
export function arrayOf(type: number, bytes: Uint8Array): TypedArray {
  const kind = kinds.get(type);
  if (!kind || !isWholeArray(type, bytes.length))
    throw new Error(`Extension ${type} of ${bytes.length} bytes`);
  const memory = new ArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return kind.of(memory);
}
