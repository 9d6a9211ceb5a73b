import { declarations } from '../experiments/registry';
import type { Fact } from '../fact';
import { type Figure, frameRanges, type Scalar } from '../figure';
import { recordMetrics } from '../metrics/records';
import { loadMetrics, type Metric, rowMetrics } from '../metrics/registry';
import { type ClosedRow, mostSubjects, type Row, type Subject } from '../row';
import type { Run } from '../run';
import { isStreamRow, type RunRow, type StreamRow, type Row as StreamsRow, type TableRow } from './row';
import type { Run as RecordedRun } from './run';

/** Names of the hosts of a run. Version 1 does not say them row by row. */
export interface Hosts {
  sender: string;
  receiver: string;
}

interface Lift {
  /** Figures that say what was set. */
  steps: ReadonlySet<string>;
  hosts: Hosts;
}

/** Lifts the rows of this run. */
export function rowLifterOf(run: Pick<Run, 'experiment' | 'environment'>): (row: RunRow) => ClosedRow {
  return liftRowsOf(run.experiment, hostsOf(run.environment));
}

/** Lifts the rows of a run of this experiment. */
export function liftRowsOf(experiment: string, hosts: Hosts): (row: RunRow) => ClosedRow {
  const columns = declarations.find(({ id }) => id === experiment)?.columns ?? [];
  const steps = new Set(columns.filter(({ role }) => role === 'step').map(({ metric }) => metric));
  const lift: Lift = { steps, hosts };
  return (row) => (isStreamRow(row) ? liftStreams(row, lift) : liftTable(row, lift));
}

/** The machine that recorded the run receives; of a remote sender the last one that reported itself is reported. */
function hostsOf({ hosts }: RecordedRun['environment']): Hosts {
  const known: unknown[] = Array.isArray(hosts) ? hosts : [];
  const names = known.map((host) => (host as { hostName?: unknown } | null)?.hostName);
  const [first = 'host', ...others] = names.filter((name): name is string => typeof name === 'string');
  return { receiver: first, sender: others.at(-1) ?? first };
}

function liftTable(row: TableRow, lift: Lift): ClosedRow {
  const { steps, hosts } = lift;
  const { measuredSeconds, values, details } = row;
  return {
    ...headOf(row),
    step: pick(values, (id) => steps.has(id)),
    figures: { measuredSeconds, ...pick(values, (id) => !steps.has(id)) },
    subjects: [],
    load: { [hosts.receiver]: {} },
    details,
  };
}

function liftStreams(row: StreamsRow, lift: Lift): ClosedRow {
  const { steps, hosts } = lift;
  const { values, perStream, histograms, senderMissed, conserved, streams } = row;
  const histogramFigures = Object.entries(histograms ?? {}).map(([id, bins]): [string, Figure] => [
    `${id}.histogram`,
    bins,
  ]);
  const head = headOf(row);
  return {
    ...head,
    notMeasured: { ...head.notMeasured, ...histogramReasons(row) },
    step: { streams, ...pick(values, (id) => steps.has(id)) },
    figures: {
      ...fieldsOf(row, ownMetrics),
      ...{ senderMissed, conserved },
      ...Object.fromEntries(histogramFigures),
      ...pick(values, (id) => !steps.has(id)),
    },
    subjects: perStream.slice(0, mostSubjects).map((stream) => liftStream(stream, lift)),
    load: loadOf(row, hosts),
  };
}

/** A histogram is missing for the reason of its percentiles. */
function histogramReasons({ histograms, notMeasured }: StreamsRow): Record<string, string> {
  const absent = Object.entries(histograms ?? {}).flatMap(([id, bins]) => {
    const reason = notMeasured[`${id}.p50`];
    return bins === null && reason !== undefined ? [[`${id}.histogram`, reason]] : [];
  });
  return Object.fromEntries(absent);
}

function headOf({ row, label, startedAt, endedAt, verdict, reason, notMeasured }: RunRow) {
  const reasons = { reason: sentence(reason), notMeasured };
  return { index: row, label, from: startedAt, to: endedAt, verdict, ...reasons };
}

function liftStream(stream: StreamRow, { hosts }: Lift): Subject {
  const { streamId, name, method, losses, outages, verdict, reason, notMeasured } = stream;
  const { droppedFrames = [], missedFrames = [] } = stream;
  return {
    ...{ kind: 'stream', id: String(streamId), name, hosts: { ...hosts } },
    figures: {
      ...fieldsOf(stream, streamMetrics),
      ...(method && { method }),
      ...{ droppedFrames: frameRanges(droppedFrames), missedFrames: frameRanges(missedFrames) },
    },
    ...(losses && { losses }),
    ...(outages && { outages }),
    ...{ verdict, reason: sentence(reason), notMeasured },
  };
}

const ownMetrics = rowMetrics.filter((metric) => metric.id !== 'streams' && !loadMetrics.includes(metric));
const fieldMetrics = recordMetrics.filter(({ id }) => ['conserved', 'firstFrame', 'lastFrame'].includes(id));
const streamMetrics = [...ownMetrics.filter(({ id }) => id !== 'measuredSeconds'), ...fieldMetrics];

/** Fields of a row by the paths of their metrics, as far as it has them. */
function fieldsOf(row: object, metrics: readonly Metric[]): Record<string, Figure> {
  const fields: Record<string, Figure> = {};
  for (const { id } of metrics) {
    const value = at(row, id);
    if (value !== undefined) fields[id] = value;
  }
  return fields;
}

function at(row: object, path: string): Scalar | undefined {
  let value: unknown = row;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}

function loadOf(row: StreamsRow, hosts: Hosts): Row['load'] {
  const load: Row['load'] = { [hosts.sender]: {}, [hosts.receiver]: {} };
  for (const role of ['sender', 'receiver', 'instrument'] as const) {
    const own = loadMetrics.filter(({ id }) => id.startsWith(`${role}.`));
    const figures = Object.entries(fieldsOf(row, own)).map(([id, value]) => [
      id.slice(role.length + 1),
      value,
    ]);
    const host = load[role === 'sender' ? hosts.sender : hosts.receiver];
    if (host && figures.length > 0) host[role] = Object.fromEntries(figures);
  }
  return load;
}

function pick(values: Record<string, Scalar>, isWanted: (id: string) => boolean): Record<string, Scalar> {
  return Object.fromEntries(Object.entries(values).filter(([id]) => isWanted(id)));
}

/** Shown, never grouped. */
function sentence(text: string): Fact[] {
  return text === '' ? [] : [{ code: 'v1-text', data: { text } }];
}
