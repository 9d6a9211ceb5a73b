import { isStreamRow, type RunRow, type TableRow } from '../../../protocol/version-1/row';
import { decidingRow, othersTexts } from '../../streams/rows/deciding-row';
import type { RunVerdict } from '../experiment';

/**
 * The worst of ping, of all TCP rows, and of the size of datagrams that carried most in each direction and number of
 * streams: the sweep goes through sizes that no host can fill a link with in order to find that one.
 */
export function linkVerdict(runRows: RunRow[]): RunVerdict {
  const rows = runRows.filter((row): row is TableRow => !isStreamRow(row));
  const isUdp = (row: TableRow): boolean => row.values['link.protocol'] === 'UDP';
  const counted = [...rows.filter((row) => !isUdp(row)), ...bestDatagrams(rows.filter(isUdp))];
  if (counted.length === 0) return { verdict: 'INVALID', reason: 'nothing was measured' };
  const found = counted.map(figuresOf).join('; ');
  const decided = decidingRow(counted);
  if (!decided) return { verdict: 'PASS', reason: found };
  const why = [`${decided.label}: ${decided.reason}`, ...othersTexts(counted, decided)].join('; ');
  return { verdict: decided.verdict, reason: `${found}. ${why}` };
}

/** Of each direction and number of streams, the row with the highest throughput. */
function bestDatagrams(rows: TableRow[]): TableRow[] {
  const best = new Map<string, TableRow>();
  const throughput = (row: TableRow): number => Number(row.values['link.throughputMbps'] ?? 0);
  for (const row of rows) {
    const key = `${row.values['link.direction']} ${row.values['link.streams']}`;
    const before = best.get(key);
    if (!before || throughput(row) > throughput(before)) best.set(key, row);
  }
  return [...best.values()];
}

/** What a row found, without what was made of it. */
function figuresOf({ label, values }: TableRow): string {
  const figure = (id: string, digits: number): string | null => {
    const value = values[`link.${id}`];
    return typeof value === 'number' ? value.toFixed(digits) : null;
  };
  if (values['link.protocol'] === 'ping')
    return `RTT ${figure('rttMs', 3) ?? 'not measured'}${figure('rttMs', 3) ? ' ms' : ''}`;
  const loss = figure('lossPercent', 3);
  return `${label}: ${figure('throughputMbps', 1)} Mb/s${loss === null ? '' : `, ${loss} % lost`}`;
}
