import { createServer } from 'node:net';
import { toolFailed } from '../../tools/tool-problem';
import type { ContextWith } from '../experiment';
import type { IperfServer } from './iperf';

const address = '127.0.0.1';
/** Some four months, the longest that a timer takes: it is stopped, or dies with us. */
const longestSeconds = 2_000_000;

/** An iperf3 server of our own for tests over loopback; `stop` ends it. */
export class OwnServer implements IperfServer {
  readonly host = address;

  private constructor(
    readonly port: number,
    private readonly abort: AbortController,
    private readonly ended: Promise<unknown>,
  ) {}

  /** @throws WhitelineError TOOL_FAILED where it does not listen, ABORTED */
  static async start({ tools, signal }: Pick<ContextWith<'tools'>, 'signal' | 'tools'>): Promise<OwnServer> {
    const port = await freePort();
    const abort = new AbortController();
    let onListening: () => void = () => undefined;
    const listening = new Promise<void>((resolve) => {
      onListening = resolve;
    });
    const ended = tools.run({
      file: 'iperf3',
      args: ['-s', '--forceflush', '-B', address, '-p', `${port}`],
      signal: abort.signal,
      timeoutSeconds: longestSeconds,
      onLine: (line) => {
        if (line.includes('listening')) onListening();
      },
    });
    const failed = ended.then(({ stderr }) => {
      throw toolFailed('iperf3', stderr);
    });
    failed.catch(() => undefined);
    const stop = (): void => abort.abort();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([listening, failed]);
    return new OwnServer(
      port,
      abort,
      failed.catch(() => undefined),
    );
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }
}

/** One on which nothing listened a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, address, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound ? bound.port : 0));
    });
  });
}
