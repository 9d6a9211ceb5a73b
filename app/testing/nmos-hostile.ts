import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface HostileAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is where it is a text, else as JSON. */
  body?: unknown;
}

/** A server on loopback until the end of the test that answers what it is made to. Returns its origin. */
export async function answering(
  answer: (request: IncomingMessage, origin: string) => HostileAnswer | null,
): Promise<string> {
  let origin = '';
  const sockets = new Set<Socket>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const said = answer(request, origin);
    // Null: it says nothing.
    if (said === null) return;
    const { status = 200, headers = {}, body = '' } = said;
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return origin;
}
