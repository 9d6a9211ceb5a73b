import { readRun } from '../engine/sessions/read-run';
import { type Figure, type Figures, frameNumbers, type Scalar } from '../facts/figure';
import { frameMetrics } from '../facts/metrics/frames';
import { recordMetrics } from '../facts/metrics/records';
import { rowMetrics } from '../facts/metrics/registry';
import { soundMetrics } from '../facts/metrics/sound';
import { timeMetrics } from '../facts/metrics/times';
import { wordsOf } from '../facts/reason-words';
import type { Row as AnyRow } from '../facts/row';
import { idsOf, isOfStreams, scalarOf } from '../facts/row-figures';
import type { Run as AnyRun } from '../facts/run';
import type { Numbers, StreamFigureId, StreamFigures, StreamSubject, StreamsRow } from '../facts/stream-row';
import type { Verdict } from '../facts/verdict';

/** Rows whose figures a test names as fields, as `latencyMs.p99`, with reasons in words and frames as their numbers. */

type Name<Id extends string> = Id extends `${infer Head}.${string}` ? Head : never;
type Part<Id extends string, Head extends string> = Id extends `${Head}.${infer Tail}` ? Tail : never;
/** From "latencyMs.p99" to a field of a field. */
type Named<Id extends string> = Readonly<
  Record<Exclude<Id, `${string}.${string}`>, number | null> & {
    [Head in Name<Id>]: Record<Part<Id, Head>, number | null>;
  }
>;

type Common = Pick<AnyRow, 'label' | 'notMeasured'> & {
  row: number;
  startedAt: string;
  endedAt: string;
  measuredSeconds: number;
  verdict: Verdict;
  reason: string;
};

export interface StreamRow
  extends Named<StreamFigureId | 'firstFrame' | 'lastFrame'>,
    Pick<StreamSubject, 'name' | 'losses' | 'outages' | 'verdict' | 'notMeasured'>,
    Pick<StreamFigures, 'method' | 'conserved'> {
  streamId: number;
  reason: string;
  droppedFrames: number[];
  missedFrames: number[];
}

/** A row that follows streams. */
export interface Row extends Common, Named<StreamFigureId>, Pick<StreamFigures, 'conserved'> {
  kind: 'streams';
  streams: number;
  senderMissed: boolean;
  sender: Figures;
  receiver: Figures;
  perStream: StreamRow[];
  /** Figures of its experiment alone. */
  values: Record<string, Scalar>;
}

/** A row that measures something else. */
export interface TableRow extends Common {
  kind: 'table';
  values: Record<string, Scalar>;
  details: Record<string, unknown>;
}

export type RunRow = Row | TableRow;
export type Run = Omit<AnyRun, 'rows'> & { rows: RunRow[] };

export function namedRow(row: AnyRow): RunRow {
  return isOfStreams(row) ? namedStreams(row) : namedTable(row);
}

/** A recorded run with such rows. */
export function readNamedRun(folder: string, options?: Parameters<typeof readRun>[1]): Run {
  const run = readRun(folder, options);
  return { ...run, rows: run.rows.map(namedRow) };
}

/** Of a run whose rows are all of streams. */
export function readStreamRun(folder: string): Omit<Run, 'rows'> & { rows: Row[] } {
  const run = readNamedRun(folder);
  return { ...run, rows: run.rows.filter(isOfNamedStreams) };
}

export function isOfNamedStreams(row: RunRow): row is Row {
  return row.kind === 'streams';
}

export function tableRowsOf(rows: readonly RunRow[]): TableRow[] {
  return rows.filter((row) => row.kind === 'table');
}

/** @throws Error for a row that lacks a figure of streams */
export function namedStreams(row: AnyRow): Row {
  if (!isWhole(row)) throw new Error(`row ${row.index} of streams lacks figures`);
  const { figures, step, subjects, load } = row;
  const { streams } = step;
  const { senderMissed, conserved } = figures;
  const roles: Readonly<Record<string, Figures>> = Object.assign({}, ...Object.values(load));
  return {
    ...namedFigures(figures, streamFigureIds),
    ...headOf(row),
    ...{ kind: 'streams', streams, senderMissed, conserved },
    ...{ sender: roles.sender ?? {}, receiver: roles.receiver ?? {} },
    perStream: subjects.map(namedStream),
    values: scalarsOf({ ...step, ...figures }, (id) => !standard.has(id)),
  };
}

const streamFigureIds = [...frameMetrics, ...timeMetrics, ...soundMetrics]
  .map(({ id }) => id)
  .filter((id): id is StreamFigureId => id !== 'streams' && id !== 'measuredSeconds');
const standard = new Set([...rowMetrics, ...recordMetrics].map(({ id }) => id));

function isWhole(row: AnyRow): row is StreamsRow {
  return [row, ...row.subjects].every(({ figures }) => streamFigureIds.every((id) => id in figures));
}

function namedTable(row: AnyRow): TableRow {
  const { step, figures, found, details = {} } = row;
  const words = Object.fromEntries(idsOf({ figures: {}, found }).map((id) => [id, scalarOf(row, id)]));
  const values = scalarsOf({ ...step, ...figures, ...words }, (id) => id !== 'measuredSeconds');
  return { ...headOf(row), kind: 'table', values, details };
}

function headOf({ index, label, from, to, figures, verdict, reason, notMeasured }: AnyRow): Common {
  const { measuredSeconds } = figures;
  if (typeof measuredSeconds !== 'number' || to === null || verdict === null)
    throw new Error(`row ${index} was not measured to its end`);
  return {
    ...{ row: index, label, startedAt: from, endedAt: to, measuredSeconds },
    ...{ verdict, reason: wordsOf(reason), notMeasured },
  };
}

function namedStream(stream: StreamSubject): StreamRow {
  const { id, name, figures, losses, outages, verdict, reason, notMeasured } = stream;
  const { method, conserved, droppedFrames, missedFrames } = figures;
  return {
    ...namedFigures(figures, [...streamFigureIds, 'firstFrame', 'lastFrame']),
    ...{ streamId: Number(id), name, method, conserved, losses, outages, verdict, notMeasured },
    ...{ droppedFrames: frameNumbers(droppedFrames), missedFrames: frameNumbers(missedFrames) },
    reason: wordsOf(reason),
  };
}

function namedFigures<Id extends string>(figures: Numbers<Id>, ids: readonly Id[]): Named<Id> {
  const fields: Record<string, number | null | Record<string, number | null>> = {};
  for (const id of ids) {
    const [name = '', part] = id.split('.');
    const field = fields[name];
    if (part === undefined) fields[name] = figures[id];
    else fields[name] = { ...(typeof field === 'object' ? field : {}), [part]: figures[id] };
  }
  return fields as Named<Id>;
}

function scalarsOf(figures: Figures, isWanted: (id: string) => boolean): Record<string, Scalar> {
  const scalars = Object.entries(figures).filter(
    (entry): entry is [string, Scalar] => isWanted(entry[0]) && isScalar(entry[1]),
  );
  return Object.fromEntries(scalars);
}

function isScalar(figure: Figure): figure is Scalar {
  return figure === null || typeof figure !== 'object';
}
