import { readRun } from '../engine/sessions/read-run';
import { type Figure, frameNumbers, type Scalar } from '../protocol/figure';
import { recordMetrics } from '../protocol/metrics/records';
import { rowMetrics } from '../protocol/metrics/registry';
import { wordsOf } from '../protocol/reason-words';
import type { Row, Subject } from '../protocol/row';
import { isOfStreams, numberOf } from '../protocol/row-figures';
import type { StreamsRow } from '../protocol/stream-row';
import {
  type Row as FlatRow,
  type RunRow,
  rowSchema,
  type StreamRow,
  tableRowSchema,
} from '../protocol/version-1/row';
import type { Run } from '../protocol/version-1/run';

/** Recorded rows in the flat shape of version 1: the reverse of the lift, so that tests name a figure as a field. */
export function flatRow(row: Row): RunRow {
  return isOfStreams(row) ? flatStreams(row) : flatTable(row);
}

/** A row of streams in the same shape. */
export function flatStreamsRow(row: StreamsRow): FlatRow {
  return flatStreams(row);
}

/** A recorded run with flat rows. */
export function readFlatRun(folder: string, options?: Parameters<typeof readRun>[1]): Run {
  const run = readRun(folder, options);
  return { ...run, schema: 'whiteline-run/1', rows: run.rows.map(flatRow) };
}

export function readFlatRows(folder: string): RunRow[] {
  return readFlatRun(folder).rows;
}

const standard = new Set([...rowMetrics, ...recordMetrics].map(({ id }) => id));

function flatTable(row: Row): RunRow {
  const { measuredSeconds, ...figures } = row.figures;
  return tableRowSchema.parse({
    ...headOf(row),
    kind: 'table',
    measuredSeconds,
    values: { ...row.step, ...figures },
    details: row.details ?? {},
  });
}

function flatStreams(row: Row): FlatRow {
  const { figures, step, subjects, load } = row;
  const histograms = Object.entries(figures).filter(([id]) => id.endsWith('.histogram'));
  const roles = Object.assign({}, ...Object.values(load));
  const own = Object.entries({ ...step, ...figures }).filter(([id]) => !standard.has(id));
  return rowSchema.parse({
    ...headOf(row),
    kind: 'streams',
    ...nested(figures),
    ...{
      streams: numberOf(row, 'streams'),
      senderMissed: figures.senderMissed,
      conserved: figures.conserved,
    },
    ...Object.fromEntries(
      ['sender', 'receiver', 'instrument'].map((role) => [role, nested(roles[role] ?? {})]),
    ),
    perStream: subjects.map(flatStream),
    ...(histograms.length > 0 && {
      histograms: Object.fromEntries(histograms.map(([id, bins]) => [id.replace('.histogram', ''), bins])),
    }),
    values: Object.fromEntries(own.filter(([id]) => !id.endsWith('.histogram'))),
  });
}

function headOf({ index, label, from, to, verdict, reason, notMeasured }: Row) {
  const reasons = Object.entries(notMeasured).filter(([id]) => !id.endsWith('.histogram'));
  return {
    ...{ row: index, label, startedAt: from, endedAt: to, verdict, reason: wordsOf(reason) },
    notMeasured: Object.fromEntries(reasons),
  };
}

function flatStream({ id, name, figures, losses, outages, verdict, reason, notMeasured }: Subject) {
  const { droppedFrames, missedFrames, ...others } = figures;
  return {
    ...nested(others),
    ...{ streamId: Number(id), name, losses, outages, verdict, reason: wordsOf(reason ?? []), notMeasured },
    ...{ droppedFrames: framesOf(droppedFrames), missedFrames: framesOf(missedFrames) },
  };
}

function framesOf(figure: Figure | undefined): StreamRow['droppedFrames'] {
  return typeof figure === 'object' && figure !== null && 'ranges' in figure ? frameNumbers(figure) : [];
}

/** From "latencyMs.p99" to a field of a field. */
function nested(figures: Readonly<Record<string, Figure>>): Record<string, unknown> {
  const fields: Record<string, Figure | Record<string, Scalar>> = {};
  for (const [path, value] of Object.entries(figures)) {
    const [key = '', inner] = path.split('.');
    if (inner === undefined) fields[key] = value;
    else fields[key] = Object.assign(fields[key] ?? {}, { [inner]: value });
  }
  return fields;
}
