import type { ContextWith } from '../../engine/experiment/experiment';
import { type RunTool, ToolTimeout } from '../../engine/tools/run-tool';
import { refuseKilled } from '../../engine/tools/tool-problem';
import { hasFeature } from '../../engine/tools/tool-versions';
import type { LinkDirection } from './declaration';
import { type IperfReport, parseIperfReport, readIperf } from './iperf-report';

export interface IperfServer {
  host: string;
  port: number;
  /** Of iperf3 here, which calls it, such as "iperf 3.12"; null: not known. */
  callerVersion: string | null;
}

/** One repeat. */
export interface IperfTest {
  direction: LinkDirection;
  streams: number;
  durationSeconds: number;
  /** TCP only: iperf3 3.12 counts the datagrams that are lost in it. */
  omitSeconds: number;
  /** Null: TCP. */
  datagramBytes: number | null;
  /** Of payload, all streams together; null: as much as TCP carries. */
  targetMbps: number | null;
}

const connectTimeoutMs = 3000;
/** A client that has not ended this much after its time never will. */
const graceSeconds = 12;
/** If the first datagram is lost, the client waits forever. */
const mostAttempts = 3;
/** A server takes one test at a time, and may not have let go of the one before. */
const busyWaitMs = 200;
const mostBusyTries = 25;

/** What each stream is held to, bits a second; 0: nothing. */
export function streamBitsOf({ targetMbps, streams }: IperfTest): number {
  return Math.round(((targetMbps ?? 0) * 1e6) / streams);
}

export function iperfArguments(server: IperfServer, test: IperfTest): string[] {
  const { direction, streams, durationSeconds, omitSeconds, datagramBytes, targetMbps } = test;
  return [
    ...['-J', ...serverArguments(server), '-t', `${durationSeconds}`, '-P', `${streams}`],
    ...(direction === 'receive' ? ['-R'] : []),
    ...(datagramBytes === null ? ['-O', `${omitSeconds}`] : ['-u', '-l', `${datagramBytes}`]),
    ...(targetMbps === null ? [] : ['-b', `${streamBitsOf(test)}`]),
  ];
}

function serverArguments({ host, port, callerVersion }: IperfServer): string[] {
  const isOld = hasFeature('iperfWaitsAndFlushes', callerVersion) === false;
  return ['-c', host, '-p', `${port}`, ...(isOld ? [] : ['--connect-timeout', `${connectTimeoutMs}`])];
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
      return parseIperfReport(result.stdout, result);
    } catch (error) {
      if (isBusy(error) && busyTries++ < mostBusyTries) await clock.sleep(busyWaitMs, signal);
      else if (error instanceof ToolTimeout && test.datagramBytes !== null && ++hangs < mostAttempts)
        onHang();
      else throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.includes('server is busy running a test');
}

/** What iperf3 says where nothing listens there, with a word of the system at its end. */
const nothingListens =
  /unable to connect to server\b.*(refused|timed out|no route|unreachable|is down|now in progress)/i;

/** Why a server cannot be used. */
export interface NoServer {
  why: string;
  /** False: something is there, which cannot be used for another reason. */
  isAbsent: boolean;
}

/** Sends one block, to see whether a server answers; null when it does. */
export async function whyNoServer(server: IperfServer, run: RunTool): Promise<NoServer | null> {
  const args = ['-J', ...serverArguments(server), '-n', '1'];
  try {
    const result = await run({ file: 'iperf3', args, timeoutSeconds: graceSeconds });
    refuseKilled('iperf3', result);
    readIperf(result.stdout, result);
    return null;
  } catch (error) {
    const why = (error as Error).message.replace(/^iperf3 failed: /, '');
    return { why, isAbsent: nothingListens.test(why) };
  }
}
