/**
 * A message of a port as one frame of a WebSocket. Words and numbers travel as JSON in a text frame. A message with
 * bytes, such as a preview's pixels, is a binary frame: length of the description (u32, little-endian), the
 * description as JSON, then the bytes of each field as they are.
 */

type Bytes = Uint8Array | Uint8ClampedArray;
const makers = { Uint8Array, Uint8ClampedArray };

interface Description {
  message: Record<string, unknown>;
  bytes: { field: string; kind: keyof typeof makers; length: number }[];
}

const lengthBytes = 4;

export function encodeFrame(message: unknown): string | Uint8Array<ArrayBuffer> {
  const fields = bytesOf(message);
  if (fields.length === 0) return JSON.stringify(message);
  const words = { ...(message as Record<string, unknown>) };
  for (const [field] of fields) delete words[field];
  const described = fields.map(([field, bytes]) => ({
    field,
    kind: bytes instanceof Uint8Array ? 'Uint8Array' : 'Uint8ClampedArray',
    length: bytes.length,
  }));
  const description = new TextEncoder().encode(JSON.stringify({ message: words, bytes: described }));
  const start = lengthBytes + description.length;
  const frame = new Uint8Array(fields.reduce((total, [, { length }]) => total + length, start));
  new DataView(frame.buffer).setUint32(0, description.length, true);
  frame.set(description, lengthBytes);
  let offset = start;
  for (const [, bytes] of fields) {
    frame.set(bytes, offset);
    offset += bytes.length;
  }
  return frame;
}

/** The bytes of what it gives are the frame's own, not copies. */
export function decodeFrame(frame: string | ArrayBuffer): unknown {
  if (typeof frame === 'string') return JSON.parse(frame);
  const length = new DataView(frame).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(frame, lengthBytes, length));
  const { message, bytes } = JSON.parse(text) as Description;
  let offset = lengthBytes + length;
  for (const { field, kind, length } of bytes) {
    message[field] = new makers[kind](frame, offset, length);
    offset += length;
  }
  return message;
}

function bytesOf(message: unknown): [string, Bytes][] {
  return Object.entries(message ?? {}).filter(
    (entry): entry is [string, Bytes] =>
      entry[1] instanceof Uint8Array || entry[1] instanceof Uint8ClampedArray,
  );
}
