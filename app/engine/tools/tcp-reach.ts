import { connect } from 'node:net';
import type { Clock } from '../../protocol/clock';

/** Longer than any network of a studio takes. */
const patienceMs = 1000;

/** Whether something at this address takes a TCP connection; it is closed at once. */
export function reachesByTcp(host: string, port: number, clock: Pick<Clock, 'after'>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (isReached: boolean): void => {
      stopWaiting();
      socket.destroy();
      resolve(isReached);
    };
    const stopWaiting = clock.after(patienceMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
