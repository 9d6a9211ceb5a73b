import { createServer } from 'node:net';
import type { ContextWith } from '../../engine/experiment/experiment';
import type { ToolResult } from '../../engine/tools/run-tool';
import { toolFailed } from '../../engine/tools/tool-problem';
import { hasFeature } from '../../engine/tools/tool-versions';
import type { Clock } from '../../protocol/clock';
import { toProblem, WhitelineError } from '../../protocol/errors';
import type { IperfServer } from './iperf';

const address = '127.0.0.1';
/** Some four months, the longest that a timer takes: it is stopped, or dies with us. */
const longestSeconds = 2_000_000;
/** A client may hear of the end of the server before we do. */
const noticedWithinMs = 500;

/** An iperf3 server of our own for tests over loopback; `stop` ends it. */
export class OwnServer implements IperfServer {
  readonly host = address;

  private constructor(
    readonly port: number,
    readonly callerVersion: string | null,
    private readonly abort: AbortController,
    /** Null: we stopped it. */
    private readonly ended: Promise<ToolResult | null>,
  ) {}

  /**
   * @param version of iperf3 here, at both ends
   * @throws WhitelineError TOOL_FAILED where it does not listen, ABORTED
   */
  static async start(
    version: string | null,
    { tools, signal }: Pick<ContextWith<'tools'>, 'signal' | 'tools'>,
  ): Promise<OwnServer> {
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
      version,
      abort,
      ended.catch(() => null),
    );
  }

  /** What a client failed with; where this server has ended, that is said first. */
  async explained(error: unknown, clock: Clock, signal: AbortSignal): Promise<unknown> {
    const result = await Promise.race([this.ended, clock.sleep(noticedWithinMs, signal)]);
    if (!result || !(error instanceof WhitelineError)) return error;
    const { endSignal, exitCode, stderr } = result;
    const how = endSignal ? `was killed (${endSignal})` : `ended with status ${exitCode}`;
    const said = [`our iperf3 server ${how}`, ...(stderr.trim() ? [stderr.trim()] : []), error.message];
    return new WhitelineError({ ...toProblem(error), message: said.join('; ') });
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.ended;
  }
}

/** Null: it can be started. */
export function whyNoOwnServer(version: string | null): string | null {
  if (hasFeature('iperfWaitsAndFlushes', version) !== false) return null;
  return `Whiteline can start a server of iperf3 from 3.2 on, and this is ${version}. Install a newer one, or start one (iperf3 -s) and give its --port`;
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
