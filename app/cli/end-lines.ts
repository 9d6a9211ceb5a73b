import type { Verdict } from '../facts/verdict';

/** What a run, or a plan, came to. */
export interface RunEnd {
  /** Null where it was stopped or failed before there was one. */
  verdict: Verdict | null;
  reason: string;
}

export function verdictLine({ verdict, reason }: RunEnd): string {
  return `${verdict ?? 'no verdict'}: ${reason}`;
}

/** The last lines of a run: its verdict, and where it was recorded, if it was. */
export function endLines(end: RunEnd, folder?: string): string[] {
  return [verdictLine(end), ...(folder === undefined ? [] : [`Run: ${folder}`])];
}
