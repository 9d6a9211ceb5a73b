import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection of TCP to a port of loopback that can be cut, until the end of the test. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    /** Where the port is reached by this cable. */
    readonly url: string,
  ) {}

  /** @param target the URL of the port */
  static async to(target: string): Promise<Cable> {
    const { port } = new URL(target);
    const server = createServer((near) => {
      if (cable.isCut) near.destroy();
      else cable.carry(near, connect(Number(port), '127.0.0.1'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const cable = new Cable(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => {
      cable.cut();
      server.close();
    });
    return cable;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }

  join(): void {
    this.isCut = false;
  }

  private carry(near: Socket, far: Socket): void {
    near.pipe(far);
    far.pipe(near);
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
      });
    }
  }
}

/** A port of loopback that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
