import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const lookedAtBytes = 4096;
/** Opening a pipe must not block. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Whether a file begins as a text; null: it cannot be read, or is no file. FFmpeg follows playlists to other files, wherever they are; a movie
 * begins with bytes that no text has.
 */
export async function isText(path: string): Promise<boolean | null> {
  const file = await open(path, flags).catch(() => null);
  if (!file) return null;
  try {
    if (!(await file.stat()).isFile()) return null;
    const bytes = Buffer.alloc(lookedAtBytes);
    const { bytesRead } = await file.read(bytes, 0, lookedAtBytes, 0);
    return bytesRead > 0 && hasNoControls(bytes.subarray(0, bytesRead));
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

function hasNoControls(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return !/\p{Cc}/u.test(text.replace(/[\t\n\f\r]/g, ''));
  } catch {
    return false;
  }
}
