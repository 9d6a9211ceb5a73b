import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { badInput } from './errors';
import { type PictureKind, pictureKindOf } from './picture-kinds';

/** A page that is sent by mail has it once; a picture that is shown so small needs no more. */
export const mostLogoBytes = 1024 * 1024;

/** Smaller or longer ones are nothing to see at the head of a page; of larger ones a browser may show nothing. */
const logoPixels = { least: 16, most: 4096, longest: 10 };

const remedy = 'Choose a PNG, JPEG or WebP picture';

/** A picture that may stand at the head of a report. */
export interface Logo {
  bytes: Buffer;
  kind: PictureKind;
}

/** As an address that the page needs nothing else for. */
export function dataUrlOf({ bytes, kind }: Logo): string {
  return `data:${kind.mimeType};base64,${bytes.toString('base64')}`;
}

/** @throws WhitelineError BAD_INPUT as `readLogo` */
export function logoDataUrl(path: string): string {
  return dataUrlOf(readLogo(path));
}

/**
 * SVG is refused: it may hold scripts.
 * @throws WhitelineError BAD_INPUT for anything but a small picture that can be read
 */
export function readLogo(path: string): Logo {
  const bytes = bytesOf(path);
  const kind = pictureKindOf(bytes);
  if (!kind) throw badInput('logo', 'a PNG, JPEG or WebP picture', path, remedy);
  const size = kind.sizeOf(bytes);
  if (!size) throw badInput('logo', 'a whole picture', `${path}, which ends too early`, remedy);
  const { width, height } = size;
  const { least, most, longest } = logoPixels;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (short < least || long > most || long > longest * short)
    throw badInput(
      'logo',
      `a picture of ${least} to ${most} pixels a side, no side over ${longest} times the other`,
      `${path} of ${width}×${height}`,
      'Scale or crop it',
    );
  return { bytes, kind };
}

function bytesOf(path: string): Buffer {
  let descriptor: number;
  try {
    // Without waiting for one who writes to a pipe.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch {
    throw badInput('logo', 'a picture that can be read', path, remedy);
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw badInput('logo', 'the file of a picture', path, remedy);
    const bytes = Buffer.alloc(mostLogoBytes + 1);
    const length = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (length > mostLogoBytes)
      throw badInput(
        'logo',
        'a picture of at most 1 MiB',
        `${path} of ${stat.size} bytes`,
        'Make it smaller',
      );
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
