import { createServer } from 'node:net';
import { linkPorts } from '../../protocol/fleet/link-commands';
import type { RunTool, ToolResult } from './run-tool';
import { toolFailed } from './tool-problem';
import { hasFeature } from './tool-versions';

/** Some four months, the longest that a timer takes: it is stopped, or dies with us. */
const longestSeconds = 2_000_000;
const versionWithinSeconds = 12;

export interface IperfServerOptions {
  run: RunTool;
  /** Of this machine, at which it listens. */
  address: string;
  /** It is stopped when this aborts. */
  signal: AbortSignal;
  /** Of `linkPorts`, which a firewall may let through. Default: any. */
  isForOthers?: boolean;
}

/** An iperf3 server that we start; `stop` ends it. */
export class OwnIperfServer {
  private constructor(
    readonly host: string,
    readonly port: number,
    private readonly abort: AbortController,
    /** Null: we stopped it. */
    private readonly result: Promise<ToolResult | null>,
  ) {}

  /** @throws WhitelineError TOOL_FAILED if it does not listen, ABORTED */
  static async start({
    run,
    address,
    signal,
    isForOthers = false,
  }: IperfServerOptions): Promise<OwnIperfServer> {
    const port = isForOthers ? await freeLinkPort(address) : await portAt(address, 0);
    const abort = new AbortController();
    const stop = (): void => abort.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    let onListening: () => void = () => undefined;
    const listening = new Promise<void>((resolve) => {
      onListening = resolve;
    });
    const ended = run({
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
    const result = ended.catch(() => null).finally(() => signal.removeEventListener('abort', stop));
    await Promise.race([listening, failed]);
    return new OwnIperfServer(address, port, abort, result);
  }

  /** Why it ended by itself, as it follows "iperf3 server"; null: we stopped it. */
  get ended(): Promise<string | null> {
    return this.result.then((result) => {
      if (!result) return null;
      const { endSignal, exitCode, stderr } = result;
      const how = endSignal ? `was killed (${endSignal})` : `ended with status ${exitCode}`;
      return [how, ...(stderr.trim() ? [stderr.trim()] : [])].join('; ');
    });
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.result;
  }
}

/** Null: it can be started. */
export function whyNoOwnServer(version: string | null): string | null {
  if (hasFeature('iperfWaitsAndFlushes', version) !== false) return null;
  return `Whiteline can start a server of iperf3 from 3.2 on, and this is ${version}. Install a newer one`;
}

/** Such as "iperf 3.12"; null if it does not report it. @throws WhitelineError TOOL_MISSING */
export async function iperfVersion(run: RunTool): Promise<string | null> {
  const { stdout } = await run({
    file: 'iperf3',
    args: ['--version'],
    timeoutSeconds: versionWithinSeconds,
  });
  return /^iperf \S+/m.exec(stdout)?.[0] ?? null;
}

/** @throws WhitelineError TOOL_FAILED if something listens on all of them */
async function freeLinkPort(address: string): Promise<number> {
  for (let port: number = linkPorts.first; port <= linkPorts.last; port += 1) {
    const isFree = await portAt(address, port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return null;
      throw toolFailed('iperf3', `it cannot listen at ${address}: ${error.message}`);
    });
    if (isFree !== null) return port;
  }
  throw toolFailed('iperf3', `ports ${linkPorts.first} to ${linkPorts.last} at ${address} are all in use`);
}

/** One on which nothing listened a moment ago. `port`: 0: any. */
function portAt(address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, address, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound ? bound.port : 0));
    });
  });
}
