import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** For a page and its files, or the handshake of a WebSocket; both take milliseconds on one machine. */
const longestVisitMs = 20_000;
/** A browser opens six at a time for a page. */
const mostVisitors = 64;

/**
 * Connections that have not shown the token: any program or page on this machine can open one, break it at any byte, or
 * say nothing. Their number and their time are limited, the oldest gives way, and none of them ends the process.
 */
export class Visitors {
  private readonly present = new Map<Duplex, NodeJS.Timeout>();

  constructor(server: Server) {
    server.on('connection', (stream) => this.enter(stream));
  }

  /** It has shown the token, and stays as long as it likes. */
  admit(stream: Duplex): void {
    clearTimeout(this.present.get(stream));
    this.present.delete(stream);
  }

  close(): void {
    for (const stream of this.present.keys()) stream.destroy();
  }

  private enter(stream: Duplex): void {
    // Node listens to a connection's errors only while it reads a request: without this, a reset behind one is thrown.
    stream.on('error', () => stream.destroy());
    stream.on('close', () => this.admit(stream));
    this.present.set(
      stream,
      setTimeout(() => stream.destroy(), longestVisitMs),
    );
    const [oldest] = this.present.keys();
    if (this.present.size > mostVisitors) oldest?.destroy();
  }
}
