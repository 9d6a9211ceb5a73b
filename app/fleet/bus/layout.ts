import { isWholeArray } from './typed-arrays';

/**
 * What bytes from elsewhere would become, found out without making any of it: a decoder makes room for each list as long as the list says
 * that it is, and for each list within it.
 */

/** Of a message that was put together again. */
export const mostBytes = 16 * 1024 * 1024;
/** A value in a message is the first level, what it holds the second. */
export const mostLevels = 64;
/** Each takes some memory of its own, even where it is a single byte of the message. */
export const mostValues = 1_000_000;

class Refusal extends Error {}

/** Why these bytes are no message that is allowed, in words; null: they are one. */
export function problemOfLayout(bytes: Uint8Array): string | null {
  if (bytes.length > mostBytes) return `It has ${bytes.length} bytes, and ${mostBytes} are allowed`;
  try {
    walk(bytes);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.message : 'It ends too early';
  }
}

/** Goes through one value, in a loop: how deep bytes of others are nested does not decide how deep our stack becomes. */
function walk(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** How many values are still to come on each open level; an object's keys and values in turn. */
  const open: { left: number; isObject: boolean }[] = [{ left: 1, isObject: false }];
  let at = 0;
  let values = 0;
  for (let level = open[0]; level !== undefined; level = open[open.length - 1]) {
    if (level.left === 0) {
      open.pop();
      continue;
    }
    if (open.length > mostLevels) throw new Refusal(`It is nested more than ${mostLevels} levels deep`);
    if (++values > mostValues) throw new Refusal(`It has more than ${mostValues} values`);
    const isKey = level.isObject && level.left % 2 === 0;
    level.left--;
    const item = itemAt(view, at);
    if (isKey && item.kind !== 'text') throw new Refusal('A name in it is no text');
    at = item.endsAt;
    if (at > bytes.length) throw new Refusal('It ends too early');
    if (item.kind === 'list') open.push({ left: item.holds, isObject: false });
    if (item.kind === 'object') open.push({ left: 2 * item.holds, isObject: true });
  }
  if (at !== bytes.length) throw new Refusal(`${bytes.length - at} bytes follow it`);
}

interface Item {
  kind: 'plain' | 'text' | 'list' | 'object';
  /** How many entries follow its head. */
  holds: number;
  endsAt: number;
}

/** @throws RangeError if the bytes end within its head, Refusal for what no message may hold */
function itemAt(view: DataView, at: number): Item {
  const head = view.getUint8(at);
  const behind = at + 1;
  if (head <= 0x7f || head >= 0xe0) return plain(behind);
  if (head <= 0x8f) return { kind: 'object', holds: head & 0x0f, endsAt: behind };
  if (head <= 0x9f) return { kind: 'list', holds: head & 0x0f, endsAt: behind };
  if (head <= 0xbf) return text(behind, head & 0x1f);
  switch (head) {
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return plain(behind);
    case 0xc7:
      return extension(view, behind + 1, view.getUint8(behind));
    case 0xc8:
      return extension(view, behind + 2, view.getUint16(behind));
    case 0xc9:
      return extension(view, behind + 4, view.getUint32(behind));
    case 0xca:
    case 0xce:
    case 0xd2:
      return plain(behind + 4);
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return plain(behind + 8);
    case 0xcc:
    case 0xd0:
      return plain(behind + 1);
    case 0xcd:
    case 0xd1:
      return plain(behind + 2);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return extension(view, behind, 2 ** (head - 0xd4));
    case 0xd9:
      return text(behind + 1, view.getUint8(behind));
    case 0xda:
      return text(behind + 2, view.getUint16(behind));
    case 0xdb:
      return text(behind + 4, view.getUint32(behind));
    case 0xdc:
      return { kind: 'list', holds: view.getUint16(behind), endsAt: behind + 2 };
    case 0xdd:
      return { kind: 'list', holds: view.getUint32(behind), endsAt: behind + 4 };
    case 0xde:
      return { kind: 'object', holds: view.getUint16(behind), endsAt: behind + 2 };
    case 0xdf:
      return { kind: 'object', holds: view.getUint32(behind), endsAt: behind + 4 };
    default:
      // 0xc4 to 0xc6 are bytes without a type, which we write as an extension, and 0xc1 is nothing.
      throw new Refusal(`No value of a message begins with 0x${head.toString(16)}`);
  }
}

function plain(endsAt: number): Item {
  return { kind: 'plain', holds: 0, endsAt };
}

function text(at: number, bytes: number): Item {
  return { kind: 'text', holds: 0, endsAt: at + bytes };
}

function extension(view: DataView, at: number, bytes: number): Item {
  const type = view.getInt8(at);
  if (!isWholeArray(type, bytes))
    throw new Refusal(`No array of ours has the extension ${type} and ${bytes} bytes`);
  return plain(at + 1 + bytes);
}
