import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import { type Gate, isForThisHost } from './gate';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const policyTag = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]+)"\s*\/>/;

/**
 * The renderer as it was built, by the path in its address. All of it is read at the start, so that no address ever
 * becomes the name of a file.
 */
export class Pages {
  private readonly files = new Map<string, { type: string; body: Buffer }>();
  /** The page's own policy, of which only the way to our sockets is let through. */
  private readonly policy: string;

  /** @throws WhitelineError NOT_FOUND where the renderer was not built */
  constructor(
    folder: string,
    private readonly gate: Gate,
  ) {
    const page = pageIn(folder);
    const [tag, policy] = policyTag.exec(page) ?? [];
    if (tag === undefined) throw new Error(`${folder}/index.html has no Content-Security-Policy`);
    this.policy = `${policy}; connect-src ws://${gate.host}; frame-ancestors 'none'`;
    for (const name of filesBelow(folder)) {
      const type = types[extname(name)];
      if (type !== undefined) this.files.set(`/${name}`, { type, body: readFileSync(join(folder, name)) });
    }
    this.files.set('/', { type: types['.html'] ?? '', body: Buffer.from(page.replace(tag, '')) });
    this.files.delete('/index.html');
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Content-Security-Policy', this.policy);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    const file = this.files.get(request.url?.split('?')[0] ?? '');
    if (!isForThisHost(request, this.gate)) refuse(response, 421, 'This is another host');
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      refuse(response, 405, 'Only GET and HEAD');
    else if (!file) refuse(response, 404, 'There is no such page');
    else {
      response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length });
      response.end(request.method === 'HEAD' ? undefined : file.body);
    }
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function pageIn(folder: string): string {
  try {
    return readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `The window’s page is not in ${folder}`,
      remedy: 'Build it: npm run build',
    });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
      : [entry.name],
  );
}
