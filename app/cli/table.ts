import type { ExperimentDeclaration } from '../protocol/experiments/declaration';
import { metricOf, metricValue } from '../protocol/metrics/registry';
import { isStreamRow, type Row, type RunRow } from '../protocol/row';
import { OwnTable } from './own-table';

/** Columns of streams: id of the metric and a head short enough for a terminal. */
const streamColumns: [id: string, head: string][] = [
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

const widths = streamColumns.map(([, head]) => Math.max(head.length, 6));

export interface TerminalTable {
  /** Printed before the first row; null where the rows tell what it is. */
  head: string | null;
  lines(row: RunRow): string[];
}

/** A table for the terminal: of streams the study's, of anything else the experiment's own columns. */
export function tableOf({ columns }: ExperimentDeclaration): TerminalTable {
  const own = new OwnTable(columns);
  const isOfStreams = columns.some(({ metric }) => metric === 'streams');
  return {
    head: isOfStreams ? tableHead() : null,
    lines: (row) => (isOfStreams && isStreamRow(row) ? tableLines(row) : own.lines(row)),
  };
}

export function tableHead(): string {
  const heads = streamColumns.map(([, head], index) => head.padStart(widths[index] ?? 6));
  return ` row streams ${heads.join(' ')}  verdict`;
}

/** One row of the study's table, and below it why it is not PASS; a figure that was not measured is a dash, never 0. */
export function tableLines(row: Row): string[] {
  const cells = streamColumns.map(([id], index) => {
    const value = metricValue(row, id);
    const text = value === null ? '–' : value.toFixed(metricOf(id).digits);
    return text.padStart(widths[index] ?? 6);
  });
  const figures = `${String(row.row).padStart(4)} ${String(row.streams).padStart(7)} ${cells.join(' ')}`;
  const line = `${figures}  ${row.verdict.padEnd(7)} ${row.label}`.trimEnd();
  const hasMore = row.verdict !== 'PASS' || (row.framesLateSource ?? 0) > 0;
  return hasMore ? [line, `     ${row.reason}`] : [line];
}
