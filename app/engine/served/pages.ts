import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BuiltPage, readBuiltPage } from '../../protocol/built-page';
import { type Gate, hostOfRequest } from './gate';

/** The renderer as it was built, by the path in its address. */
export class Pages {
  private readonly files: BuiltPage['files'];
  /** The page's own. */
  private readonly policy: string;

  /** @throws WhitelineError NOT_FOUND where the renderer was not built */
  constructor(
    folder: string,
    private readonly gate: Gate,
  ) {
    const { files, policy } = readBuiltPage(folder);
    this.files = files;
    this.policy = policy;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const host = hostOfRequest(request, this.gate);
    // Of the page's policy only the way to our sockets is let through.
    const sockets = host === null ? "'none'" : `${this.gate.scheme === 'https' ? 'wss' : 'ws'}://${host}`;
    const policy = `${this.policy}; connect-src ${sockets}; frame-ancestors 'none'`;
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    const file = this.files.get(request.url?.split('?')[0] ?? '');
    if (host === null) refuse(response, 421, 'This is another host');
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      refuse(response, 405, 'Only GET and HEAD');
    else if (!file) refuse(response, 404, 'There is no such page');
    else {
      response.writeHead(200, {
        'Content-Type': file.type,
        'Content-Length': file.body.length,
      });
      response.end(request.method === 'HEAD' ? undefined : file.body);
    }
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
