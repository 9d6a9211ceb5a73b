import { pingTotals } from '../../engine/tools/ping-totals';

/** What ping says. */
export interface PingReport {
  echoesSent: number;
  /** By ping's own count. */
  echoesAnswered: number;
  /** Of the echoes that were answered, in their order; empty if ping says no time of each. */
  rttsMs: number[];
  /** Its own mean of all answers; null: not reported. */
  meanRttMs: number | null;
}

/**
 * Reads the output of `ping` of iputils, BusyBox or inetutils, with or without `-q`; macOS writes the lines of inetutils (untested).
 * Null if it has no line of totals.
 */
export function parsePing(output: string): PingReport | null {
  const totals = pingTotals(output);
  if (!totals) return null;
  const rttsMs = output.split('\n').flatMap(timeOf);
  const [, mean] =
    /^(?:rtt|round-trip) min\/avg\/max\S* = [\d.]+\/(\d{1,15}(?:\.\d+)?)\//m.exec(output) ?? [];
  return {
    ...{ echoesSent: totals.sent, echoesAnswered: totals.answered },
    rttsMs,
    meanRttMs: mean === undefined ? null : Number(mean),
  };
}

/** Of an answer. Step by step: one expression for all of it would look at a long line again from each place in it. */
function timeOf(line: string): number[] {
  const number = /\b(?:icmp_)?seq=\d+ /.exec(line);
  const [, time] = (number && / time=(\d{1,15}(?:\.\d+)?) ms/.exec(line.slice(number.index))) ?? [];
  // What came twice or damaged has a note after its time, and is not among the answers.
  return time === undefined || /\((?:DUP|BAD CHECKSUM)!\)/.test(line) ? [] : [Number(time)];
}
