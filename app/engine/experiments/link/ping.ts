import { findTool, runTool } from '../../tools/run-tool';
import { type PingReport, parsePing } from './ping-report';

/** What everybody may ask for without special rights. */
const intervalSeconds = 0.2;
const answerSeconds = 2;

export type PingOutcome = { report: PingReport } | { notMeasured: string };

/**
 * Round trips over the idle link. Where ping is not there or not permitted they are not measured: the time of a TCP
 * connection would be another figure.
 * @throws WhitelineError TOOL_FAILED for output that is not ping's, ABORTED
 */
export async function ping(host: string, echoes: number, signal: AbortSignal): Promise<PingOutcome> {
  if (!findTool('ping')) return { notMeasured: 'ping is not installed, or not in PATH' };
  const args = ['-n', '-c', `${echoes}`, '-i', `${intervalSeconds}`, '-W', `${answerSeconds}`, host];
  const timeoutSeconds = echoes * (intervalSeconds + 0.1) + 2 * answerSeconds + 5;
  const { stdout, stderr, exitCode, endSignal } = await runTool({
    file: 'ping',
    args,
    signal,
    timeoutSeconds,
  });
  if (endSignal) return { notMeasured: `ping was killed by ${endSignal}` };
  // 1: not every echo was answered. Anything else: it could not ask.
  if (exitCode === 0 || exitCode === 1) return { report: parsePing(stdout) };
  return { notMeasured: `ping could not ask: ${(stderr || stdout).trim().split('\n')[0] ?? ''}` };
}
