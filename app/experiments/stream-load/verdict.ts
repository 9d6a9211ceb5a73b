import type { RunVerdict } from '../../engine/experiment/experiment';
import { isCarried } from '../../engine/streams/rows/clean-row';
import { countsText, decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import { remedyOf, whatToDo } from '../../facts/remedies';
import type { StreamsRow } from '../../facts/stream-row';
import { limitText, withStreams } from './limit';
import { repeatsOf, shownRows } from './repeats';

/** What a ramp is judged by. */
export interface RampGoal {
  /** Streams that must be carried. */
  goal: number;
  maxStreams: number;
}

/**
 * The verdict of a ramp: the worst of the rows up to the first one with as many streams as its goal, and FAIL if there is none. A row that
 * summarizes repeats is no clean PASS if some of them did not pass.
 */
export function streamLoadVerdict(all: readonly StreamsRow[], { goal, maxStreams }: RampGoal): RunVerdict {
  const rows = shownRows(all);
  const reached = Math.max(0, ...rows.map(({ step }) => step.streams));
  const judgedTo = Math.min(...rows.map(({ step }) => step.streams).filter((streams) => streams >= goal));
  // A refined ramp measures its limit last: of two bad rows the one with fewer streams decides.
  const judged = rows
    .filter(({ step }) => step.streams <= judgedTo)
    .sort((one, other) => one.step.streams - other.step.streams);
  const worst = worstVerdictOf(judged);
  const isShort = reached < goal && worst !== 'INVALID' && worst !== 'FAIL';
  const { parts, endsOpen } = partsOf(rows, judged);
  const hidden = repeatTexts(all, judged);
  parts.push(...hidden);
  if (endsOpen) parts.push(endText(reached, maxStreams));
  if (isShort) parts.push(`the goal of ${streamsText(goal)} was not reached`);
  const remedy = worst === 'INVALID' ? remedyOf(decidingRow(judged)?.reason ?? []) : null;
  if (remedy !== null) parts.push(`${whatToDo}${remedy}`);
  const carried = worst === 'PASS' && hidden.length > 0 ? 'WARN' : worst;
  return { verdict: isShort ? 'FAIL' : carried, reason: parts.join('; ') };
}

/**
 * How many streams were carried without a lost frame, the row that decided, and what was the limit. `endsOpen`: no row
 * with streams shows a limit.
 */
function partsOf(
  rows: readonly StreamsRow[],
  judged: readonly StreamsRow[],
): { parts: string[]; endsOpen: boolean } {
  const decided = decidingRow(judged);
  const first = lowest(rows.filter((row) => row.step.streams > 0 && isBad(row) && !isCarried(row)));
  const limit =
    decided && decided.step.streams > 0 && isBad(decided) && !isCarried(decided) ? decided : first;
  const baseline = rows.find((row) => row.step.streams === 0 && isBad(row));
  const invalid =
    decided?.verdict === 'INVALID' ? decided : rows.find(({ verdict }) => verdict === 'INVALID');
  const clean = rows.filter((row) => row.step.streams > 0 && isCarried(row));
  const below = clean.filter(({ step }) => !first || step.streams < first.step.streams);
  const carried = Math.max(0, ...below.map(({ step }) => step.streams));
  const isMeasured = rows.some(({ verdict, step }) => step.streams > 0 && verdict !== 'INVALID');
  const carriedText = `${carried === 0 ? 'no number of streams' : streamsText(carried)} ran without loss`;
  if (rows.every(({ step }) => step.streams === 0))
    return {
      parts: [invalid ? beforeFirstText(invalid) : 'nothing was measured with streams'],
      endsOpen: false,
    };
  const parts = [isMeasured ? carriedText : 'no valid row with streams'];
  const above = Math.max(0, ...clean.map(({ step }) => step.streams));
  const late = rows.find(({ figures }) => (figures.framesLateSource ?? 0) > 0);
  // Carried with a reservation: it is no limit, and not silent either.
  const reserved = clean.find(({ verdict }) => verdict !== 'PASS');
  const worded = baseline === decided ? [baseline, limit] : [limit, baseline];
  // What is INVALID is worded once, as that.
  for (const row of worded) if (row && row !== invalid) parts.push(limitText(row));
  if (above > carried) parts.push(`yet ${streamsText(above)} ran without loss`);
  if (invalid) parts.push(limitText(invalid));
  if (reserved) parts.push(limitText(reserved));
  const given = [...worded, invalid, reserved].filter((row) => row != null);
  parts.push(...othersTexts(judged, ...given));
  const endsOpen = !limit && !invalid;
  if (endsOpen && late && late !== reserved) parts.push(`${withStreams(late)}: ${wordsOf(late.reason)}`);
  return { parts, endsOpen };
}

/** Of a run that ended with a baseline that is INVALID: what other programs took comes first. */
function beforeFirstText({ reason }: StreamsRow): string {
  const busy = reason.flatMap(({ code, data: { judged: _, ...data } }) =>
    code === 'busy-baseline' ? [{ code: 'others-busy', data }] : [],
  );
  const others = reason.filter(({ code }) => code !== 'busy-baseline');
  return `nothing was measured with streams: before the first one, ${wordsOf([...busy, ...others])}`;
}

/** What a row that passed hides: some of the repeats that it summarizes did not pass. */
function repeatTexts(all: readonly StreamsRow[], judged: readonly StreamsRow[]): string[] {
  return judged.flatMap((row) => {
    const repeats = repeatsOf(row, all);
    const bad = repeats.filter(isBad);
    if (row.verdict !== 'PASS' || bad.length === 0) return [];
    return `${withStreams(row)}, ${bad.length} of ${repeats.length} repeats did not pass (${countsText(bad)})`;
  });
}

function isBad({ verdict }: StreamsRow): boolean {
  return verdict !== 'PASS';
}

function endText(reached: number, maxStreams: number): string {
  if (reached < maxStreams) return 'no limit was found';
  return `the limit was not reached: ${streamsText(maxStreams)} ${maxStreams === 1 ? 'was' : 'were'} the most tested`;
}

function lowest(rows: readonly StreamsRow[]): StreamsRow | null {
  return rows.reduce<StreamsRow | null>(
    (low, row) => (low && low.step.streams <= row.step.streams ? low : row),
    null,
  );
}

function streamsText(count: number): string {
  return `${count} ${count === 1 ? 'stream' : 'streams'}`;
}
