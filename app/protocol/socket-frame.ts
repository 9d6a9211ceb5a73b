/**
 * A message of a port as one frame of a WebSocket. Words and numbers travel as JSON in a text frame. A message with
 * columns, such as a preview's pixels or the numbers of frames, is a binary frame: length of the description (u32,
 * little-endian), the description as JSON, then the bytes of each column as they are in memory: both ends are one machine.
 */

const makers = { Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array };
type Kind = keyof typeof makers;
type Column = InstanceType<(typeof makers)[Kind]>;

interface Description {
  message: Record<string, unknown>;
  columns: { field: string; kind: Kind; length: number }[];
}

const kinds = Object.keys(makers) as Kind[];
const lengthBytes = 4;

export function encodeFrame(message: unknown): string | Uint8Array<ArrayBuffer> {
  const fields = columnsOf(message);
  if (fields.length === 0) return JSON.stringify(message);
  const words = { ...(message as Record<string, unknown>) };
  for (const { field } of fields) delete words[field];
  const columns = fields.map(({ field, kind, column }) => ({ field, kind, length: column.length }));
  const description = new TextEncoder().encode(JSON.stringify({ message: words, columns }));
  const start = lengthBytes + description.length;
  const frame = new Uint8Array(fields.reduce((total, { column }) => total + column.byteLength, start));
  new DataView(frame.buffer).setUint32(0, description.length, true);
  frame.set(description, lengthBytes);
  let offset = start;
  for (const { column } of fields) {
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
  for (const { field, kind, length } of columns) {
    const Maker = makers[kind];
    const end = offset + length * Maker.BYTES_PER_ELEMENT;
    message[field] =
      offset % Maker.BYTES_PER_ELEMENT === 0
        ? new Maker(frame, offset, length)
        : new Maker(frame.slice(offset, end));
    offset = end;
  }
  return message;
}

function columnsOf(message: unknown): { field: string; kind: Kind; column: Column }[] {
  return Object.entries(message ?? {}).flatMap(([field, column]) => {
    const kind = kindOf(column);
    return kind ? [{ field, kind, column }] : [];
  });
}

/** A buffer of Node's is a `Uint8Array`, too. */
function kindOf(column: unknown): Kind | undefined {
  return kinds.find((kind) => column instanceof makers[kind]);
}
