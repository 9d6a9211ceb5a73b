import { pingTotals } from '../../tools/ping-totals';

/** What ping says. */
export interface PingReport {
  echoesSent: number;
  /** By ping's own count. */
  echoesAnswered: number;
  /** Of the echoes that were answered, in their order; empty where ping says no time of each. */
  rttsMs: number[];
  /** Its own mean of all answers; null: not reported. */
  meanRttMs: number | null;
}

/**
 * Reads the output of `ping` of iputils, BusyBox or inetutils, with or without `-q`; macOS writes the lines of inetutils (untested).
 * Null where it has no line of totals.
 */
export function parsePing(output: string): PingReport | null {
  const totals = pingTotals(output);
  if (!totals) return null;
  // What came twice or damaged has a note behind its time, and is not among the answers.
  const times = output.matchAll(
    /\b(?:icmp_)?seq=\d+ .*\btime=(\d+(?:\.\d+)?) ms(?!.*\((?:DUP|BAD CHECKSUM)!\))/gm,
  );
  const rttsMs = [...times].map(([, time]) => Number(time));
  const [, mean] = /^(?:rtt|round-trip) min\/avg\/max\S* = [\d.]+\/(\d+(?:\.\d+)?)\//m.exec(output) ?? [];
  return {
    ...{ echoesSent: totals.sent, echoesAnswered: totals.answered },
    rttsMs,
    meanRttMs: mean === undefined ? null : Number(mean),
  };
}
