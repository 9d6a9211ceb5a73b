/** A file of an archive: its name there, and its content. */
export interface TarEntry {
  name: string;
  bytes: number;
  content: AsyncIterable<Buffer>;
}

const blockBytes = 512;

/** How many bytes `tarOf` makes of files of these sizes. */
export function tarBytes(sizes: readonly number[]): number {
  return sizes.reduce((sum, bytes) => sum + blockBytes + bytes + paddingOf(bytes), 2 * blockBytes);
}

/** Files as one, as every system unpacks it (POSIX.1-1988, ustar): a browser downloads no folder. */
export async function* tarOf(entries: readonly TarEntry[], modifiedMs: number): AsyncGenerator<Buffer> {
  for (const { name, bytes, content } of entries) {
    yield headerOf(name, bytes, modifiedMs);
    yield* content;
    yield Buffer.alloc(paddingOf(bytes));
  }
  yield Buffer.alloc(2 * blockBytes);
}

function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

/** The sum of its bytes stands in it, counted with spaces in that place. */
function headerOf(name: string, bytes: number, modifiedMs: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  const put = (offset: number, text: string): void => void header.write(text, offset, 'utf8');
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
  put(0, name);
  put(100, octal(0o644, 7));
  put(108, octal(0, 7));
  put(116, octal(0, 7));
  put(124, octal(bytes, 11));
  put(136, octal(Math.floor(modifiedMs / 1000), 11));
  put(148, ' '.repeat(8));
  put(156, '0');
  put(257, 'ustar\0' + '00');
  put(
    148,
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  );
  return header;
}
