import type { Verdict } from '../facts/verdict';
import { exitCodeOfVerdict, exitCodes } from '../protocol/errors';

/** What a run, or a plan, came to. */
export interface RunEnd {
  /** Null if it was stopped or failed before there was one. */
  verdict: Verdict | null;
  reason: string;
}

/** What `send` or `watch` came to; `isCut`: it was stopped before its time. */
export interface CutEnd extends RunEnd {
  isCut: boolean;
}

/** A FAIL stays one however little was measured; what else was cut short has shown nothing of the rest. */
export function exitCodeOfEnd({ verdict, isCut }: Pick<CutEnd, 'verdict' | 'isCut'>): number {
  const isJudged = verdict !== null && (verdict === 'FAIL' || !isCut);
  return isJudged ? exitCodeOfVerdict(verdict) : exitCodes.aborted;
}

export function verdictLine({ verdict, reason }: RunEnd): string {
  return `${verdict ?? 'no verdict'}: ${reason}`;
}

/** The last lines of a run: its verdict, and where it was recorded, if it was. */
export function endLines(end: RunEnd, folder?: string): string[] {
  return [verdictLine(end), ...(folder === undefined ? [] : [`Run: ${folder}`])];
}
