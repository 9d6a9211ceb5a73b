import type { Row } from '../../../protocol/row';
import { type Verdict, worseVerdict } from '../../../protocol/verdict';
import type { RunVerdict } from '../experiment';
import { limitText } from './limit';
import { shownRows } from './repeats';

/** What a ramp is judged by. */
export interface RampGoal {
  /** Streams that must be carried. */
  goal: number;
  maxStreams: number;
}

/**
 * The verdict of a ramp: the worst of the rows up to the first one with as many streams as its goal, and FAIL when there
 * is none.
 */
export function streamLoadVerdict(all: Row[], { goal, maxStreams }: RampGoal): RunVerdict {
  const rows = shownRows(all);
  const reached = Math.max(0, ...rows.map((row) => row.streams));
  const judgedTo = Math.min(...rows.map(({ streams }) => streams).filter((streams) => streams >= goal));
  let verdict: Verdict = 'PASS';
  for (const row of rows) if (row.streams <= judgedTo) verdict = worseVerdict(verdict, row.verdict);
  if (reached < goal && verdict !== 'INVALID') verdict = 'FAIL';
  return { verdict, reason: sentence(rows, { goal, maxStreams }, reached) };
}

/** How many streams were carried without a lost frame, and what was the limit. */
function sentence(rows: readonly Row[], { goal, maxStreams }: RampGoal, reached: number): string {
  const bad = lowest(rows.filter(({ verdict }) => verdict === 'WARN' || verdict === 'FAIL'));
  const clean = rows.filter(({ verdict, streams }) => verdict === 'PASS' && streams > 0);
  const below = clean.filter(({ streams }) => !bad || streams < bad.streams);
  const carried = Math.max(0, ...below.map(({ streams }) => streams));
  const parts = [`${streamsText(carried)} carried without losing a frame`];
  const above = Math.max(0, ...clean.map(({ streams }) => streams));
  const invalid = rows.find(({ verdict }) => verdict === 'INVALID');
  const late = rows.find(({ framesLateSource }) => (framesLateSource ?? 0) > 0);
  if (bad) parts.push(limitText(bad));
  if (above > carried) parts.push(`${streamsText(above)} were clean all the same`);
  if (invalid) parts.push(`${limitText(invalid)} (INVALID, so it says nothing of the streams)`);
  if (!bad && !invalid && late) parts.push(`with ${late.streams}: ${late.reason}`);
  if (!bad && !invalid) parts.push(endText(reached, { goal, maxStreams }));
  return parts.join('; ');
}

function endText(reached: number, { goal, maxStreams }: RampGoal): string {
  if (reached >= maxStreams) return `the limit was not found, ${maxStreams} is the run’s maximum`;
  return reached < goal ? `the run ended before its goal of ${goal}` : 'the limit was not found';
}

function lowest(rows: readonly Row[]): Row | null {
  return rows.reduce<Row | null>((low, row) => (low && low.streams <= row.streams ? low : row), null);
}

function streamsText(count: number): string {
  return `${count} ${count === 1 ? 'stream' : 'streams'}`;
}
