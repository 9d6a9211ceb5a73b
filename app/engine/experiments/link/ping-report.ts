import { toolNonsense } from '../../tools/tool-problem';

export interface PingReport {
  echoesSent: number;
  /** By ping's own count. */
  echoesAnswered: number;
  /** Of the echoes that were answered, in their order. */
  rttsMs: number[];
}

/**
 * Reads the output of `ping -n` of Linux's iputils; macOS writes the same lines (untested).
 * @throws WhitelineError TOOL_FAILED where this is none
 */
export function parsePing(output: string): PingReport {
  const totals = /^(\d+) packets transmitted, (\d+) (?:packets )?received/m.exec(output);
  if (!totals) throw toolNonsense('ping', 'no line of totals', output);
  const [echoesSent = 0, answers = 0] = totals.slice(1).map(Number);
  const rttsMs = [...output.matchAll(/icmp_seq=\d+ .*\btime=([\d.]+) ms$/gm)].map(([, time]) => Number(time));
  if (rttsMs.length < answers || rttsMs.some((rtt) => !Number.isFinite(rtt)))
    throw toolNonsense('ping', `${answers} answers and ${rttsMs.length} times`, output);
  return { echoesSent, echoesAnswered: answers, rttsMs: rttsMs.slice(0, echoesSent) };
}
