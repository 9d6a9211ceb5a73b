import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import { carriedTexts, isHeld } from './carried';

/**
 * The worst of ping, of all TCP rows, of all rows at the rates of streams, and of the size of datagrams that carried most in each
 * direction and number of streams: the sweep goes through sizes that no host can fill a link with in order to find that one. No
 * figure of a row that is INVALID is quoted as found: what it is worth stands in that row’s reason.
 */
export function linkVerdict(rows: readonly ClosedRow[]): RunVerdict {
  const isUdp = (row: ClosedRow): boolean => scalarOf(row, 'link.protocol') === 'UDP';
  // A row that contradicts itself does not prove how much was carried, and no other row makes up for it.
  const isCompared = (row: ClosedRow): boolean => isUdp(row) && !isHeld(row) && !isContradictory(row);
  const counted = [...rows.filter((row) => !isCompared(row)), ...bestDatagrams(rows.filter(isCompared))];
  if (counted.length === 0) return { verdict: 'INVALID', reason: 'nothing was measured' };
  const decided = decidingRow(counted);
  const isInvalid = decided?.verdict === 'INVALID';
  const filling = counted.filter((row) => !isHeld(row) && row.verdict !== 'INVALID');
  const found = [...filling.map(figuresOf), ...carriedTexts(counted.filter(isHeld))].join('; ');
  if (!decided) return { verdict: 'PASS', reason: found };
  const why = [`${decided.label}: ${wordsOf(decided.reason)}`, ...othersTexts(counted, decided)].join('; ');
  const sentences = isInvalid ? [why, found] : [found, why];
  return { verdict: decided.verdict, reason: sentences.filter(Boolean).join('. ') };
}

function isContradictory({ reason }: ClosedRow): boolean {
  return reason.some(({ code }) => code === 'contradiction' || code === 'not-as-asked');
}

/** Of each direction and number of streams, the row with the highest throughput. */
function bestDatagrams(rows: readonly ClosedRow[]): ClosedRow[] {
  const best = new Map<string, ClosedRow>();
  const throughput = (row: ClosedRow): number => numberOf(row, 'link.throughputMbps') ?? 0;
  for (const row of rows) {
    const key = `${scalarOf(row, 'link.direction')} ${scalarOf(row, 'link.streams')}`;
    const before = best.get(key);
    if (!before || throughput(row) > throughput(before)) best.set(key, row);
  }
  return [...best.values()];
}

/** What a row found, without what was made of it. */
function figuresOf(row: ClosedRow): string {
  const figure = (id: string, digits: number): string | null =>
    numberOf(row, `link.${id}`)?.toFixed(digits) ?? null;
  if (scalarOf(row, 'link.protocol') === 'ping')
    return `RTT ${figure('rttMs', 3) ?? 'not measured'}${figure('rttMs', 3) ? ' ms' : ''}`;
  const loss = figure('lossPercent', 3);
  const throughput = figure('throughputMbps', 1);
  const carried = throughput === null ? 'throughput not measured' : `${throughput} Mb/s`;
  return `${row.label}: ${carried}${loss === null ? '' : `, ${loss} % lost`}`;
}
