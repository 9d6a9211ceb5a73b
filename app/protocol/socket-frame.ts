/**
 * A message of a port as one frame of a WebSocket. Words and numbers travel as JSON in a text frame. A message with
 * columns, such as a preview's pixels or the numbers of frames, is a binary frame: length of the description (u32,
 * little-endian), the description as JSON, then the bytes of each column as they are in memory: both ends are one machine.
 */

const makers = {
  ...{ Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array },
  ...{ Float32Array, Float64Array },
};
type Kind = keyof typeof makers;
type Column = InstanceType<(typeof makers)[Kind]>;

interface Description {
  message: Record<string, unknown>;
  columns: { field: string; within?: string; kind: Kind; length: number }[];
}

const kinds = Object.keys(makers) as Kind[];
const lengthBytes = 4;

export function encodeFrame(message: unknown): string | Uint8Array<ArrayBuffer> {
  const found = columnsOf(message);
  if (found.length === 0) return JSON.stringify(message);
  const columns = found.map(({ field, within, kind, column }) => ({
    ...{ field, within, kind, length: column.length },
  }));
  const words = wordsOf(message, found);
  const description = new TextEncoder().encode(JSON.stringify({ message: words, columns }));
  const start = lengthBytes + description.length;
  const frame = new Uint8Array(found.reduce((total, { column }) => total + column.byteLength, start));
  new DataView(frame.buffer).setUint32(0, description.length, true);
  frame.set(description, lengthBytes);
  let offset = start;
  for (const { column } of found) {
    frame.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += column.byteLength;
  }
  return frame;
}

/** The bytes of what it gives are the frame's own, not copies, where they are aligned. */
export function decodeFrame(frame: string | ArrayBuffer): unknown {
  if (typeof frame === 'string') return JSON.parse(frame);
  const length = new DataView(frame).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(frame, lengthBytes, length));
  const { message, columns } = JSON.parse(text) as Description;
  let offset = lengthBytes + length;
  for (const { field, within, kind, length } of columns) {
    const holder = within === undefined ? message : (message[within] as Record<string, unknown>);
    const Maker = makers[kind];
    const end = offset + length * Maker.BYTES_PER_ELEMENT;
    holder[field] =
      offset % Maker.BYTES_PER_ELEMENT === 0
        ? new Maker(frame, offset, length)
        : new Maker(frame.slice(offset, end));
    offset = end;
  }
  return message;
}

interface FoundColumn {
  field: string;
  /** The field of the message that has it, such as a result; undefined: the message itself. */
  within?: string;
  kind: Kind;
  column: Column;
}

function columnsOf(message: unknown, within?: string): FoundColumn[] {
  return Object.entries(message ?? {}).flatMap(([field, value]) => {
    const kind = kindOf(value);
    if (kind) return [{ field, ...(within !== undefined && { within }), kind, column: value }];
    const isHolder = within === undefined && typeof value === 'object' && !Array.isArray(value);
    return isHolder ? columnsOf(value, field) : [];
  });
}

/** The message without its columns. */
function wordsOf(message: unknown, columns: readonly FoundColumn[]): Record<string, unknown> {
  const words = { ...(message as Record<string, unknown>) };
  for (const { field, within } of columns) {
    if (within === undefined) delete words[field];
    else words[within] = { ...(words[within] as Record<string, unknown>), [field]: undefined };
  }
  return words;
}

/** A buffer of Node's is a `Uint8Array`, too. */
function kindOf(column: unknown): Kind | undefined {
  return kinds.find((kind) => column instanceof makers[kind]);
}
