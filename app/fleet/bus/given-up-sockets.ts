import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';

const opened = new AsyncLocalStorage<Set<Socket>>();
let attempts = 0;

// Node tells of each socket of a client when it is made.
subscribe('net.client.socket', (message) => {
  if (typeof message !== 'object' || message === null || !('socket' in message)) return;
  if (message.socket instanceof Socket) opened.getStore()?.add(message.socket);
});

/**
 * Connects, and destroys what it opened where that fails. The client of the bus leaves the sockets of an attempt that it gives up: where a
 * server stands still they stay connected, and would keep this process from its end.
 */
export async function withoutGivenUpSockets<Connection>(
  connect: () => Promise<Connection>,
): Promise<Connection> {
  const sockets = new Set<Socket>();
  attempts += 1;
  try {
    return await opened.run(sockets, connect);
  } catch (error) {
    for (const socket of sockets) socket.destroy();
    throw error;
  } finally {
    attempts -= 1;
    // Node follows each promise and each callback of the process for as long as it is on.
    if (attempts === 0) opened.disable();
  }
}
