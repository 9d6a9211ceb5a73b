import type { Row } from '../../../protocol/row';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import { rowToTell } from '../../streams/rows/judgement';
import type { RunVerdict } from '../experiment';

/** The verdict of a ramp: the worst of the rows up to its goal, and FAIL when the goal was not reached. */
export function streamLoadVerdict(rows: Row[], goal: number): RunVerdict {
  const measured = rows.filter((row) => row.streams <= goal);
  let verdict: Verdict = 'PASS';
  for (const row of measured) verdict = worseVerdict(verdict, row.verdict);
  const reached = Math.max(0, ...rows.map((row) => row.streams));
  if (reached < goal && verdict !== 'INVALID') verdict = 'FAIL';
  return { verdict, reason: sentence(rows, goal, reached) };
}

function sentence(rows: Row[], goal: number, reached: number): string {
  const clean = rows.filter((row) => row.streams > 0 && row.verdict === 'PASS').map((row) => row.streams);
  const carried = Math.max(0, ...clean);
  const first = `${carried} ${carried === 1 ? 'stream' : 'streams'} carried without losing a frame`;
  const broken = rowToTell(rows);
  if (broken) return `${first}; with ${broken.streams}: ${broken.reason}`;
  return reached < goal ? `${first}; the run ended before its goal of ${goal}` : first;
}
