import { distributionSchema } from '../../../protocol/distribution';
import type { Aggregate } from '../../../protocol/metrics/metric';
import { rowMetrics } from '../../../protocol/metrics/registry';
import type { Row, StreamRow, Totals } from '../../../protocol/version-1/row';
import { TimeHistogram } from '../counting/time-histogram';
import type { MeasuredStream } from './measured-stream';
import { figuresOf, type NotMeasured, note, reasons } from './row-reasons';

/** Distributions are made of all times together, not of their figures. */
const aggregates = rowMetrics.flatMap(({ id, aggregate }) =>
  aggregate && aggregate !== 'merge' ? [{ id, aggregate }] : [],
);

/** The figures of a row out of those of its streams, by the `aggregate` of their metrics. */
export function totalsOf(
  perStream: readonly StreamRow[],
  streams: readonly MeasuredStream[],
  trafficMbps: number | null,
  notMeasured: Row['notMeasured'],
): Totals & Required<Pick<Row, 'histograms'>> {
  const of = new Columns(perStream, notMeasured);
  const times = timesOf(streams);
  const figures = aggregates.map(({ id, aggregate }): [string, number | null] => [
    id,
    of.figure(id, aggregate),
  ]);
  const totals = {
    ...nested(figures),
    latencyMs: of.distribution('latencyMs', times.latencyMs),
    submitIntervalMs: of.distribution('submitIntervalMs', times.submitIntervalMs),
    receiveIntervalMs: of.distribution('receiveIntervalMs', times.receiveIntervalMs),
    bitrateMbps: trafficMbps,
    conserved: conservedOf(perStream, notMeasured),
  };
  const histograms = {
    latencyMs: times.latencyMs.bins(),
    submitIntervalMs: times.submitIntervalMs.bins(),
    receiveIntervalMs: times.receiveIntervalMs.bins(),
  };
  // Every other field has an `aggregate`: registry.test.ts.
  return { ...(totals as Totals), histograms };
}

/** The times of all streams together. */
function timesOf(streams: readonly MeasuredStream[]) {
  return {
    latencyMs: merged(streams, ({ counter }) => (counter?.negativeLatencies === 0 ? counter.latency : null)),
    submitIntervalMs: merged(streams, ({ counter }) => counter?.submitInterval),
    receiveIntervalMs: merged(
      streams,
      ({ counter, foreign }) => foreign?.receiveInterval ?? counter?.receiveInterval,
    ),
  };
}

/** From "gapHistogram.of1" and its like to fields of fields. */
function nested(figures: readonly [path: string, value: number | null][]): Record<string, unknown> {
  const fields: Record<string, number | null | Record<string, number | null>> = {};
  for (const [path, value] of figures) {
    const [key = '', inner] = path.split('.');
    const before = fields[key];
    fields[key] =
      inner === undefined ? value : { ...(typeof before === 'object' ? before : {}), [inner]: value };
  }
  return fields;
}

/** The figures of all streams by their path, put together. */
class Columns {
  private readonly shownStream: number;

  constructor(
    private readonly perStream: readonly StreamRow[],
    private readonly notMeasured: NotMeasured,
  ) {
    this.shownStream = perStream.findIndex(({ framesDisplayShown }) => framesDisplayShown !== null);
  }

  figure(path: string, aggregate: Exclude<Aggregate, 'merge'>): number | null {
    switch (aggregate) {
      case 'sum':
        return this.perStream.length === 0 ? 0 : this.whole(path, total);
      case 'largest':
        return this.whole(path, (values) => Math.max(...values));
      case 'smallest':
        return this.whole(path, (values) => Math.min(...values));
      case 'sum-of-known':
        return this.known(path, total, Math.max(0, this.shownStream));
      case 'largest-of-known':
        return this.known(path, (values) => Math.max(...values));
      case 'farthest-of-known':
        return this.known(path, farthest);
    }
  }

  /** Null as soon as one stream's figure is. */
  private whole(path: string, combine: (values: number[]) => number): number | null {
    const values = this.values(path);
    const absent = values.indexOf(null);
    if (absent < 0 && values.length > 0) return combine(values as number[]);
    this.note(path, absent);
    return null;
  }

  /** Of the streams of which it is known; the reason why it is of none is that of the first, or of the one named. */
  private known(path: string, combine: (values: number[]) => number, absent = 0): number | null {
    const known = this.values(path).filter((value): value is number => value !== null);
    if (known.length > 0) return combine(known);
    this.note(path, absent);
    return null;
  }

  distribution(path: 'latencyMs' | 'submitIntervalMs' | 'receiveIntervalMs', times: TimeHistogram) {
    if (times.count === 0) {
      const reason = this.perStream[0]?.notMeasured[`${path}.p50`] ?? reasons.noStream;
      note(this.notMeasured, figuresOf(path), reason);
    }
    return distributionSchema.parse(times.distribution());
  }

  private values(path: string): (number | null)[] {
    const [key = '', inner] = path.split('.');
    return this.perStream.map((stream) => {
      const value = stream[key as keyof StreamRow] as unknown;
      return (inner === undefined ? value : (value as Record<string, unknown>)[inner]) as number | null;
    });
  }

  private note(path: string, absent: number): void {
    const stream = this.perStream[absent];
    this.notMeasured[path] = stream
      ? `${stream.name}: ${stream.notMeasured[path] ?? 'not measured'}`
      : reasons.noStream;
  }
}

/** The times of all streams as one distribution. */
function merged(
  streams: readonly MeasuredStream[],
  pick: (stream: MeasuredStream) => TimeHistogram | null | undefined,
): TimeHistogram {
  const all = new TimeHistogram();
  for (const stream of streams) {
    const times = pick(stream);
    if (times) all.merge(times);
  }
  return all;
}

function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function farthest(values: number[]): number {
  return values.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most));
}

/** False as soon as one stream's sums do not hold; null when one was not counted. */
function conservedOf(perStream: readonly StreamRow[], notMeasured: NotMeasured): boolean | null {
  if (perStream.some((stream) => stream.conserved === false)) return false;
  const uncounted = perStream.find((stream) => stream.conserved === null);
  if (!uncounted) return true;
  notMeasured.conserved = `${uncounted.name}: ${uncounted.notMeasured.conserved}`;
  return null;
}
