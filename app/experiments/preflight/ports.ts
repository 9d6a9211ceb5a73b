import { connect } from 'node:net';

/** Source: the NDI SDK's documentation and what its runtimes were seen to use (shared findings). */
export const ndiPorts = {
  mdns: 5353,
  discoveryServer: 5959,
  /** Lists a machine's senders on request. */
  query: 5960,
  /** One for each sender, from here on. */
  firstSender: 5961,
} as const;

/** What became of a try to connect. refused: the machine answered that nothing listens; silent: nothing came back. */
export type PortState = 'open' | 'refused' | 'silent' | 'unreachable';

/** Longer than any network of a studio takes. */
const patienceMs = 1500;

/** Tries to connect by TCP, and hangs up at once. */
export function tryPort(host: string, port: number, signal?: AbortSignal): Promise<PortState> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve('silent');
    const socket = connect({ host, port });
    const end = (state: PortState): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      socket.destroy();
      resolve(state);
    };
    const stop = (): void => end('silent');
    const timer = setTimeout(stop, patienceMs);
    signal?.addEventListener('abort', stop, { once: true });
    socket.once('connect', () => end('open'));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      end(code === 'ECONNREFUSED' ? 'refused' : code === 'ETIMEDOUT' ? 'silent' : 'unreachable');
    });
  });
}
