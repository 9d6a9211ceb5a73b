import type { Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
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
  /** Under the TLS of a connection, its socket. */
  private readonly below = new WeakMap<Duplex, Socket>();

  constructor(server: Server | SecureServer) {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      this.enter(socket);
      if (!(server instanceof SecureServer)) return;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    if (!(server instanceof SecureServer)) return;
    server.on('secureConnection', (secure) => {
      secure.on('error', () => secure.destroy());
      const { remoteAddress, remotePort } = secure;
      for (const socket of sockets)
        if (socket.remotePort === remotePort && socket.remoteAddress === remoteAddress)
          this.below.set(secure, socket);
    });
  }

  /** It has shown the token, and stays as long as it likes. */
  admit(stream: Duplex): void {
    const visitor = this.below.get(stream) ?? stream;
    clearTimeout(this.present.get(visitor));
    this.present.delete(visitor);
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
