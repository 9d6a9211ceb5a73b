import { closeSync, openSync, readSync } from 'node:fs';

/** A picture file. If its name has a %, ffmpeg takes it for a series of files unless it is given the format. */
export interface PictureFile {
  /** As ffmpeg calls it. */
  demuxer: string;
  /** One picture. What comes after the first belongs to it, such as the gain map that phones write. */
  isStill: boolean;
}

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const begins: readonly { bytes: RegExp; demuxer: string; isStill: boolean }[] = [
  // Not JPEG-LS.
  { bytes: /^\xff\xd8\xff[^\xf7]/s, demuxer: 'jpeg_pipe', isStill: true },
  { bytes: /^BM.{4}\0{4}/s, demuxer: 'bmp_pipe', isStill: true },
  { bytes: /^(II\*\0|MM\0\*)/s, demuxer: 'tiff_pipe', isStill: true },
  { bytes: /^RIFF.{4}WEBP/s, demuxer: 'webp_pipe', isStill: true },
  { bytes: /^GIF8[79]a/s, demuxer: 'gif', isStill: false },
];
/** A series of JPEG pictures, which begins as one of them does. */
const motionJpeg = /\.mjpe?g$/i;

/** @returns null: something else, or it cannot be read, which ffprobe then says */
export function pictureFileOf(path: string): PictureFile | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    const first = bytesAt(file, 0, 16);
    if (first.subarray(0, png.length).equals(png))
      return isAnimatedPng(file)
        ? { demuxer: 'apng', isStill: false }
        : { demuxer: 'png_pipe', isStill: true };
    const found = begins.find(({ bytes }) => bytes.test(first.toString('latin1')));
    if (!found || (found.demuxer === 'jpeg_pipe' && motionJpeg.test(path))) return null;
    return { demuxer: found.demuxer, isStill: found.isStill };
  } finally {
    closeSync(file);
  }
}

/** Its control chunk stands before the first picture. */
function isAnimatedPng(file: number): boolean {
  for (let at = png.length; ; ) {
    const head = bytesAt(file, at, 8);
    if (head.length < 8) return false;
    const type = head.toString('latin1', 4);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += 12 + head.readUInt32BE(0);
  }
}

function bytesAt(file: number, at: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, readSync(file, bytes, 0, count, at));
}
