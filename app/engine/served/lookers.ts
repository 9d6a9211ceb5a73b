import type { WebSocket } from 'ws';
import type { ServedChannel } from '../../protocol/served';
import { LookPort } from './look-port';
import { LookTurns } from './look-turns';
import { SocketPort } from './socket-port';

/** Of all sockets of pages: room for those that operate is always left. */
const mostSockets = 20;
/** Requests of all pages that only look, on one channel. */
const mostAtOnce = 8;

/** The pages that may only look, and what they take of this process together. */
export class Lookers {
  private readonly sockets = new Set<WebSocket>();
  private readonly turnsOf: Record<ServedChannel, LookTurns> = {
    engine: new LookTurns(mostAtOnce),
    previews: new LookTurns(mostAtOnce),
    textures: new LookTurns(mostAtOnce),
    archive: new LookTurns(mostAtOnce),
    shell: new LookTurns(mostAtOnce),
  };

  get isFull(): boolean {
    return this.sockets.size >= mostSockets;
  }

  admit(socket: WebSocket, channel: ServedChannel): LookPort {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    return new LookPort(new SocketPort(socket), channel, this.turnsOf[channel]);
  }
}
