import { metricOf, metricValue } from '../protocol/metrics/registry';
import type { Row } from '../protocol/row';

/** Columns of the terminal's table: id of the metric and a head short enough for a terminal. */
const columns: [id: string, head: string][] = [
  ['sender.cpuMaxPercent', 'CPU %'],
  ['sender.cpuProcessMaxPercent', 'send %'],
  ['receiver.cpuProcessMaxPercent', 'recv %'],
  ['sender.gpuMaxPercent', 'GPU %'],
  ['receiver.networkMaxMbps', 'Mb/s'],
  ['framesSubmitted', 'sent'],
  ['framesReceived', 'rcvd'],
  ['framesDropped', 'drop'],
  ['framesSenderMissed', 'miss'],
  ['framesLateSource', 'late'],
  ['latencyMs.p50', 'p50 ms'],
  ['latencyMs.p99', 'p99 ms'],
  ['longestGapMs', 'gap ms'],
];

const widths = columns.map(([, head]) => Math.max(head.length, 6));

export function tableHead(): string {
  const heads = columns.map(([, head], index) => head.padStart(widths[index] ?? 6));
  return ` row streams ${heads.join(' ')}  verdict`;
}

/** One row of the study's table; a figure that was not measured is a dash, never 0. */
export function tableLine(row: Row): string {
  const cells = columns.map(([id], index) => {
    const value = metricValue(row, id);
    const text = value === null ? '–' : value.toFixed(metricOf(id).digits);
    return text.padStart(widths[index] ?? 6);
  });
  const line = `${String(row.row).padStart(4)} ${String(row.streams).padStart(7)} ${cells.join(' ')}  ${row.verdict}`;
  const hasMore = row.verdict !== 'PASS' || (row.framesLateSource ?? 0) > 0;
  return hasMore ? `${line}\n     ${row.reason}` : line;
}
