import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type BuiltPage, readBuiltPage } from '../../protocol/built-page';
import { type Gate, hostOfRequest } from './gate';
import type { WrittenFiles } from './written-files';

interface PagesOptions {
  gate: Gate;
  written: Pick<WrittenFiles, 'pathOf' | 'answer'>;
  /** Who asks by such a word has shown a right, and stays as long as the answer takes. */
  admit(stream: Duplex): void;
}

/** The renderer as it was built, by the path in its address, and what was written for a page. */
export class Pages {
  private readonly files: BuiltPage['files'];
  /** The page's own. */
  private readonly policy: string;

  /** @throws WhitelineError NOT_FOUND if the renderer was not built */
  constructor(
    folder: string,
    private readonly options: PagesOptions,
  ) {
    const { files, policy } = readBuiltPage(folder);
    this.files = files;
    this.policy = policy;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const { gate, written, admit } = this.options;
    const host = hostOfRequest(request, gate);
    // Of the page's policy only the way to our sockets is let through.
    const sockets = host === null ? "'none'" : `${gate.scheme === 'https' ? 'wss' : 'ws'}://${host}`;
    const policy = `${this.policy}; connect-src ${sockets}; frame-ancestors 'none'`;
    response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    const file = this.files.get(request.url?.split('?')[0] ?? '');
    const path = written.pathOf(request);
    if (host === null) refuse(response, 421, 'This is another host');
    else if (request.method !== 'GET' && request.method !== 'HEAD')
      refuse(response, 405, 'Only GET and HEAD');
    else if (path !== null) {
      admit(request.socket);
      if (!written.answer(path, request, response)) refuse(response, 404, 'This file is there no more');
    } else if (!file) refuse(response, 404, 'There is no such page');
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
