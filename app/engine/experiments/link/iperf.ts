import type { LinkDirection } from '../../../protocol/experiments/link/declaration';
import { runTool, ToolTimeout } from '../../tools/run-tool';
import { refuseKilled, toolFailed } from '../../tools/tool-problem';
import type { ContextWith } from '../experiment';
import { type IperfReport, parseIperfReport } from './iperf-report';

export interface IperfServer {
  host: string;
  port: number;
}

/** One repeat. */
export interface IperfTest {
  direction: LinkDirection;
  streams: number;
  durationSeconds: number;
  /** TCP only: iperf3 3.12 counts the datagrams that are lost in it. */
  omitSeconds: number;
  /** Null: TCP. */
  udp: { datagramBytes: number; targetMbps: number } | null;
}

const connectTimeoutMs = 3000;
/** A client that has not ended this much after its time never will. */
const graceSeconds = 12;
/** The client waits for ever where the first datagram is lost. */
const mostAttempts = 3;
/** A server takes one test at a time, and may not have let go of the one before. */
const busyWaitMs = 200;
const mostBusyTries = 25;

/** What each stream of UDP is held to, bits a second; of TCP 0, which is none. */
export function streamBitsOf({ udp, streams }: IperfTest): number {
  return Math.round(((udp?.targetMbps ?? 0) * 1e6) / streams);
}

export function iperfArguments({ host, port }: IperfServer, test: IperfTest): string[] {
  const { direction, streams, durationSeconds, omitSeconds, udp } = test;
  return [
    ...['-J', '-c', host, '-p', `${port}`, '--connect-timeout', `${connectTimeoutMs}`],
    ...['-t', `${durationSeconds}`, '-P', `${streams}`],
    ...(direction === 'receive' ? ['-R'] : []),
    ...(udp ? ['-u', '-b', `${streamBitsOf(test)}`, '-l', `${udp.datagramBytes}`] : ['-O', `${omitSeconds}`]),
  ];
}

/**
 * Runs one repeat; one of UDP that hangs, since its first datagram was lost, is begun again, and a busy server is waited for.
 * @throws WhitelineError TOOL_FAILED in iperf3's own words, ABORTED
 */
export async function runIperf(
  server: IperfServer,
  test: IperfTest,
  { clock, signal, tools }: Pick<ContextWith<'tools'>, 'clock' | 'signal' | 'tools'>,
  onHang: () => void,
): Promise<IperfReport> {
  const timeoutSeconds = test.durationSeconds + test.omitSeconds + graceSeconds;
  const call = { file: 'iperf3', args: iperfArguments(server, test), signal, timeoutSeconds };
  let [hangs, busyTries] = [0, 0];
  for (;;) {
    try {
      const result = await tools.run(call);
      refuseKilled('iperf3', result);
      if (!result.stdout.trim()) throw toolFailed('iperf3', result.stderr);
      const report = parseIperfReport(result.stdout);
      if (result.exitCode !== 0)
        throw toolFailed('iperf3', result.stderr || `it ended with status ${result.exitCode}`);
      return report;
    } catch (error) {
      if (isBusy(error) && busyTries++ < mostBusyTries) await clock.sleep(busyWaitMs, signal);
      else if (error instanceof ToolTimeout && test.udp !== null && ++hangs < mostAttempts) onHang();
      else throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.includes('server is busy running a test');
}

/** Sends one block, to see whether a server answers; null when it does, otherwise what iperf3 says. */
export async function whyNoServer({ host, port }: IperfServer): Promise<string | null> {
  const args = ['-J', '-c', host, '-p', `${port}`, '--connect-timeout', `${connectTimeoutMs}`, '-n', '1'];
  try {
    const { stdout, stderr } = await runTool({ file: 'iperf3', args, timeoutSeconds: graceSeconds });
    if (!stdout.trim()) return stderr.trim();
    parseIperfReport(stdout);
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^iperf3 failed: /, '');
  }
}

/** Such as "iperf 3.12"; null where it does not report it. */
export async function iperfVersion(): Promise<string | null> {
  const { stdout } = await runTool({ file: 'iperf3', args: ['--version'], timeoutSeconds: graceSeconds });
  return /^iperf \S+/.exec(stdout)?.[0] ?? null;
}
