import { closeSync, constants, createReadStream, fstatSync, openSync, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileGrants } from '../../protocol/file-grants';
import { savedMark, writtenMark } from '../../protocol/served';
import { tarBytes, tarOf } from './tar';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.pdf': 'application/pdf',
  '.json': 'application/json; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.tar': 'application/x-tar',
};

/** A report has its own scripts and is not a page of the console: it runs without an origin, and its own policy lets it load nothing. */
const reportPolicy = "sandbox allow-scripts allow-modals; frame-ancestors 'none'";

/** What a browser is given. */
interface Given {
  name: string;
  bytes: number;
  content: Readable;
}

/** Files that were written for pages, at addresses that only the page knows that asked for them. */
export class WrittenFiles {
  constructor(private readonly grants: Pick<FileGrants, 'writtenPath'>) {}

  /** The file that an address stands for; null: it stands for none. The word is looked up, and never becomes part of a path. */
  pathOf({ url = '' }: IncomingMessage): string | null {
    const word = url.startsWith(writtenMark) ? url.slice(writtenMark.length).replace(savedMark, '') : '';
    return /^[0-9a-f]{64}$/.test(word) ? this.grants.writtenPath(word) : null;
  }

  /** False if it is there no more, or is no file. */
  answer(path: string, { url = '', method }: IncomingMessage, response: ServerResponse): boolean {
    const given = isFolder(path) ? folderAt(path) : fileAt(path);
    if (!given) return false;
    const { name, bytes, content } = given;
    const isShown = extname(name) === '.html' && !url.endsWith(savedMark);
    response.setHeader('Content-Security-Policy', reportPolicy);
    response.writeHead(200, {
      'Content-Type': types[extname(name)] ?? 'application/octet-stream',
      'Content-Length': bytes,
      'Content-Disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
      // A download may last as long as its file needs, and no longer.
      Connection: 'close',
    });
    content.on('error', () => response.destroy());
    response.on('close', () => content.destroy());
    if (method === 'HEAD') response.end();
    else content.pipe(response);
    return true;
  }
}

/** No link is followed, and nothing but a file is read. An empty one was never written. */
function fileAt(path: string): Given | null {
  try {
    const descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const stats = fstatSync(descriptor);
    if (stats.isFile() && stats.size > 0) {
      const content = createReadStream(path, { fd: descriptor, end: stats.size - 1 });
      return { name: basename(path), bytes: stats.size, content };
    }
    closeSync(descriptor);
    return null;
  } catch {
    return null;
  }
}

/** Of tables: all files in the folder as one archive. */
function folderAt(path: string): Given | null {
  const files = readdirSync(path).flatMap((name) => fileAt(join(path, name)) ?? []);
  if (files.length === 0) return null;
  const name = basename(path);
  const entries = files.map((file) => ({ ...file, name: `${name}/${file.name}` }));
  const content = Readable.from(tarOf(entries, statSync(path).mtimeMs));
  content.on('close', () => {
    for (const file of files) file.content.destroy();
  });
  return { name: `${name}.tar`, bytes: tarBytes(files.map(({ bytes }) => bytes)), content };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
