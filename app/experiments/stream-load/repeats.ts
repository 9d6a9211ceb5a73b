import { withFigures } from '../../engine/experiment/row-values';
import { lostFramesOf } from '../../facts/lost-frames';
import { ofEach } from '../../facts/reasoned';
import { numberOf } from '../../facts/row-figures';
import { countedRows, replacedLabel } from '../../facts/row-labels';
import type { StreamsRow } from '../../facts/stream-row';
import { verdicts } from '../../facts/verdict';
import { streamLoadDeclaration } from './declaration';
import { repeatMetrics, streamCosts } from './metrics';

/** Fewer do not show a spread. */
const leastRepeats = 3;

export interface RepeatPlan {
  repeats: number;
  spreadPercent: number;
}

/** An INVALID repeat proves nothing: it is neither shown nor compared as long as there is another one. */
function validOf(rows: readonly StreamsRow[]): StreamsRow[] {
  return rows.filter((row) => row.verdict !== 'INVALID');
}

/** True when these repeats of one number of streams are enough: they agree in verdict and CPU, or there are no more. */
export function areEnough(rows: readonly StreamsRow[], { repeats, spreadPercent }: RepeatPlan): boolean {
  if (rows.length >= repeats) return true;
  const valid = validOf(rows);
  const spread = spreadOf(valid);
  const agree = valid.every(({ verdict }) => verdict === valid[0]?.verdict);
  return valid.length >= leastRepeats && agree && spread !== null && spread <= spreadPercent;
}

/** (max − min) / median of the machine's mean CPU load, %; null for fewer than two, and where it was not measured. */
export function spreadOf(rows: readonly StreamsRow[]): number | null {
  const loads = rows.map(cpuOf).filter((load) => load !== null);
  if (loads.length < 2 || loads.length < rows.length) return null;
  const sorted = [...loads].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const median = ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
  return median > 0 ? (100 * ((sorted[sorted.length - 1] ?? 0) - (sorted[0] ?? 0))) / median : null;
}

/** The repeat whose figures are shown: in the middle by verdict, lost frames and CPU; of two in the middle the worse. */
export function medianOf(rows: readonly StreamsRow[]): StreamsRow | null {
  const valid = validOf(rows);
  const sorted = [...(valid.length > 0 ? valid : rows)].sort(
    (a, b) =>
      verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) ||
      lostOf(a) - lostOf(b) ||
      (cpuOf(a) ?? 0) - (cpuOf(b) ?? 0),
  );
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** What was not counted may be anything. */
function lostOf(row: StreamsRow): number {
  const missed = row.figures.framesSenderMissed ?? Number.MAX_SAFE_INTEGER;
  return missed + (lostFramesOf(row) ?? Number.MAX_SAFE_INTEGER);
}

/** Mean CPU load of the machine that sends, %. */
function cpuOf(row: StreamsRow): number | null {
  return numberOf(row, 'sender.cpuMeanPercent');
}

/** One repeat as a separate row. */
export function repeatRow(row: StreamsRow, repeat: number, { repeats }: RepeatPlan): StreamsRow {
  const label = `repeat ${repeat} of at most ${repeats}`;
  const named = { ...row, label, figures: { ...row.figures, [repeatMetrics.repeat]: repeat } };
  return without(named, ofAllRepeats, 'in the row that stands for all repeats');
}

/** A row that is INVALID, in whose place the next one is measured; the verdict stands beside its label, and why in its reason. */
export function spoiltRow(row: StreamsRow): StreamsRow {
  return without(
    { ...row, label: replacedLabel(row.index + 1) },
    [repeatMetrics.repeat, ...ofAllRepeats],
    'the row is INVALID and does not count',
  );
}

const ofAllRepeats = [
  ...[repeatMetrics.repeats, repeatMetrics.spread],
  ...streamCosts.flatMap(({ perStream, added }) => [perStream, added]),
];

/** The row that stands for all repeats of a number of streams: the median one as it is, and how far they spread. */
export function summaryRow(median: StreamsRow, rows: readonly StreamsRow[], index: number): StreamsRow {
  const valid = validOf(rows);
  const shown = numberOf(median, repeatMetrics.repeat);
  const spread = spreadOf(valid);
  const label =
    valid.length > 0
      ? `median of ${valid.length}: shows repeat ${shown}`
      : `all ${rows.length} repeats are INVALID: shows repeat ${shown}`;
  return withFigures({ ...median, index, label }, streamLoadDeclaration, {
    [repeatMetrics.repeat]: [null, 'the row stands for all repeats'],
    [repeatMetrics.repeats]: [valid.length],
    [repeatMetrics.spread]: [spread, 'it takes two repeats that are not INVALID, with the CPU load of both'],
  });
}

/** A row that was not repeated; nothing is said of repeats. A row whose place it takes does not count, so it is no repeat of that. */
export function onlyRow(row: StreamsRow, hasReplaced = false): StreamsRow {
  const reason = hasReplaced ? 'measured again because a row was INVALID, not as a repeat' : 'measured once';
  return without(row, Object.values(repeatMetrics), reason);
}

function without(row: StreamsRow, ids: readonly string[], reason: string): StreamsRow {
  return withFigures(
    row,
    streamLoadDeclaration,
    ofEach(ids, () => [null, reason]),
  );
}

/** The repeats that a row summarizes; a row that was spoilt and measured again is not one of them. */
export function repeatsOf(row: StreamsRow, all: readonly StreamsRow[]): StreamsRow[] {
  const { repeat, repeats } = repeatMetrics;
  if (numberOf(row, repeats) === null) return [];
  return all.filter((one) => one.step.streams === row.step.streams && numberOf(one, repeat) !== null);
}

/** The rows that count: neither single repeats of one that stands for them, nor one that was measured again. */
export function shownRows(rows: readonly StreamsRow[]): StreamsRow[] {
  return countedRows(rows).filter((row) => numberOf(row, repeatMetrics.repeat) === null);
}
