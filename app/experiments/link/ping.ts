import type { ContextWith } from '../../engine/experiment/experiment';
import { stepText } from '../../facts/count-words';
import { toProblem } from '../../protocol/errors';
import { type PingReport, parsePing } from './ping-report';

/** What everybody may ask for without special rights. */
const intervalSeconds = 0.2;
const answerSeconds = 2;

export type PingOutcome = { report: PingReport } | { notMeasured: string };

/**
 * Round trips over the idle link. Where ping is not there or not permitted they are not measured: the time of a TCP
 * connection would be another figure. ping subtracts two readings of the wall clock.
 * @throws WhitelineError ABORTED, TOOL_FAILED if it does not end
 */
export async function ping(
  host: string,
  echoes: number,
  {
    tools,
    signal,
    clock,
    thresholds,
  }: Pick<ContextWith<'tools'>, 'signal' | 'tools' | 'clock' | 'thresholds'>,
): Promise<PingOutcome> {
  const offsetUs = clock.wallOffsetUs();
  const args = ['-n', '-c', `${echoes}`, '-i', `${intervalSeconds}`, '-W', `${answerSeconds}`, host];
  const timeoutSeconds = echoes * (intervalSeconds + 0.1) + 2 * answerSeconds + 5;
  const asked = await tools.run({ file: 'ping', args, signal, timeoutSeconds }).catch((error: unknown) => {
    if (toProblem(error).code === 'TOOL_MISSING') return null;
    throw error;
  });
  if (!asked) return { notMeasured: 'ping is not installed, or not in PATH' };
  const { stdout, stderr, exitCode, endSignal } = asked;
  if (endSignal) return { notMeasured: `ping was killed by ${endSignal}` };
  const steppedMs = (clock.wallOffsetUs() - offsetUs) / 1000;
  if (Math.abs(steppedMs) > thresholds.maxWallStepMs)
    return {
      notMeasured: `this machine’s wall clock, by which ping measures, was set ${stepText(steppedMs)}`,
    };
  const said = (stderr || stdout).trim().split('\n')[0] ?? '';
  // 1: not every echo was answered. Anything else: it could not ask.
  if (exitCode !== 0 && exitCode !== 1) return { notMeasured: `ping could not ask: ${said}` };
  const report = parsePing(stdout);
  return report
    ? { report }
    : { notMeasured: `ping gave no totals (exit status ${exitCode}): ${said || 'it said nothing'}` };
}
