/** Sizes that files of pictures state, in pixels. A file that ends too early has none: half a picture is not shown. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Chunks of length, type, bytes and checksum: the first has the size, the last is IEND. */
export function pngSize(bytes: Buffer): PictureSize | null {
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const next = at + 12 + bytes.readUInt32BE(at);
    if (next > bytes.length) return null;
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') return hasData ? sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) : null;
    at = next;
  }
  return null;
}

const jpegEnd = Buffer.from([0xff, 0xd9]);

/** Segments up to the start of the frame have the size; the picture's data ends with a mark of its own. */
export function jpegSize(bytes: Buffer): PictureSize | null {
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    // Any byte of filling may stand before a marker.
    if (marker === 0xff) at += 1;
    else if (isFrameStart(marker)) {
      const size = sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
      return bytes.lastIndexOf(jpegEnd) > at ? size : null;
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** SOF0 to SOF15, without the tables between them (DHT, JPG, DAC). */
function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** The head of RIFF says how long all is; the first chunk has the size in one of three forms. */
export function webpSize(bytes: Buffer): PictureSize | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8 ') return sized(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (form === 'VP8X') return sized(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  if (form !== 'VP8L') return null;
  const sizes = bytes.readUInt32LE(21);
  return sized((sizes & 0x3fff) + 1, ((sizes >>> 14) & 0x3fff) + 1);
}

function sized(width: number, height: number): PictureSize | null {
  return width > 0 && height > 0 ? { width, height } : null;
}
