import { mostBytes } from './layout';

/** Messages that are larger than the bus takes, in pieces. */

/** Content of a piece; all but the last are so long. With its head a piece stays below 512 kB. */
export const pieceBytes = 500_000;
/** What the bus has to take in one message. */
export const mostPayloadBytes = 512_000;

/** No MessagePack begins with it, so that a piece is told from a whole message. */
const pieceMark = 0xc1;
const idBytes = 8;
/** Mark, id, index, count, and the bytes of the whole message. */
const headBytes = 1 + idBytes + 3 * 4;

interface Piece {
  id: string;
  /** From 0. */
  index: number;
  count: number;
  totalBytes: number;
  content: Uint8Array;
}

/**
 * The payloads that carry a message, in their order.
 * @param id of this message alone, 8 bytes: made at random
 */
export function cut(message: Uint8Array, id: () => Uint8Array): Uint8Array[] {
  if (message.length <= pieceBytes) return [message];
  const ownId = id();
  const count = Math.ceil(message.length / pieceBytes);
  return Array.from({ length: count }, (_, index) => {
    const content = message.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    const piece = new Uint8Array(headBytes + content.length);
    const head = new DataView(piece.buffer);
    piece[0] = pieceMark;
    piece.set(ownId.subarray(0, idBytes), 1);
    for (const [place, value] of [index, count, message.length].entries())
      head.setUint32(1 + idBytes + 4 * place, value);
    piece.set(content, headBytes);
    return piece;
  });
}

function isPiece(payload: Uint8Array): boolean {
  return payload[0] === pieceMark;
}

/** Null: it is none that `cut` makes. */
function readPiece(payload: Uint8Array): Piece | null {
  if (payload.length <= headBytes) return null;
  const head = new DataView(payload.buffer, payload.byteOffset, headBytes);
  const id = Buffer.from(payload.buffer, payload.byteOffset + 1, idBytes).toString('hex');
  const [index = 0, count = 0, totalBytes = 0] = [0, 1, 2].map((place) =>
    head.getUint32(1 + idBytes + 4 * place),
  );
  const content = payload.subarray(headBytes);
  const isAllowed = totalBytes > pieceBytes && totalBytes <= mostBytes;
  if (!isAllowed || count !== Math.ceil(totalBytes / pieceBytes) || index >= count) return null;
  const length = index === count - 1 ? totalBytes - index * pieceBytes : pieceBytes;
  return content.length === length ? { id, index, count, totalBytes, content } : null;
}

interface Incomplete {
  beganNs: number;
  count: number;
  totalBytes: number;
  contents: Map<number, Uint8Array>;
}

export type Joined = { message: Uint8Array } | { isWaiting: true } | { refused: string };

interface Limits {
  /** Of one sender at once; a further one makes the oldest be dropped. */
  mostIncomplete: number;
  /** A message that is not complete after so long is dropped, ns. */
  patienceNs: number;
}

/**
 * Puts pieces together again. A sender takes no more memory than it has sent, and no more than its share of messages of the largest size;
 * it cannot use up that of another sender.
 */
export class Joiner {
  /** Messages that were never complete. */
  dropped = 0;
  private readonly bySender = new Map<string, Map<string, Incomplete>>();

  constructor(private readonly limits: Limits = { mostIncomplete: 4, patienceNs: 10e9 }) {}

  get patienceMs(): number {
    return this.limits.patienceNs / 1e6;
  }

  /** How many messages are incomplete at this moment. */
  get incomplete(): number {
    let sum = 0;
    for (const messages of this.bySender.values()) sum += messages.size;
    return sum;
  }

  /** A payload is a whole message, the last piece of one, one of several, or nothing that may be. */
  take(payload: Uint8Array, sender: string, nowNs: number): Joined {
    this.dropOld(nowNs);
    if (!isPiece(payload)) return { message: payload };
    const piece = readPiece(payload);
    if (!piece) return { refused: 'It is no piece of a message' };
    const messages = this.messagesOf(sender);
    const known = messages.get(piece.id);
    const { count, totalBytes } = piece;
    if (known && (known.count !== count || known.totalBytes !== totalBytes))
      return { refused: 'Two pieces of one message say different sizes' };
    const message = known ?? { beganNs: nowNs, count, totalBytes, contents: new Map<number, Uint8Array>() };
    if (!known) messages.set(piece.id, message);
    message.contents.set(piece.index, piece.content);
    if (message.contents.size === count) return { message: this.joined(sender, piece.id, message) };
    if (messages.size > this.limits.mostIncomplete) this.dropOldest(messages);
    return { isWaiting: true };
  }

  /** Messages that have not been complete for so long give their memory back. */
  dropOld(nowNs: number): void {
    for (const [sender, messages] of this.bySender) {
      for (const [id, { beganNs }] of messages) {
        if (nowNs - beganNs < this.limits.patienceNs) continue;
        messages.delete(id);
        this.dropped++;
      }
      if (messages.size === 0) this.bySender.delete(sender);
    }
  }

  private messagesOf(sender: string): Map<string, Incomplete> {
    const messages = this.bySender.get(sender) ?? new Map<string, Incomplete>();
    this.bySender.set(sender, messages);
    return messages;
  }

  private dropOldest(messages: Map<string, Incomplete>): void {
    const [oldest] = messages.keys();
    if (oldest === undefined) return;
    messages.delete(oldest);
    this.dropped++;
  }

  private joined(sender: string, id: string, { totalBytes, contents }: Incomplete): Uint8Array {
    this.bySender.get(sender)?.delete(id);
    const message = new Uint8Array(totalBytes);
    for (const [index, content] of contents) message.set(content, index * pieceBytes);
    return message;
  }
}
