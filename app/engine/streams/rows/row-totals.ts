import type { TimeBins } from '../../../facts/distribution';
import type { Aggregate } from '../../../facts/metrics/metric';
import { rowMetrics } from '../../../facts/metrics/registry';
import { numberOf } from '../../../facts/row-figures';
import {
  distributionFigures,
  type Numbers,
  type StreamFigureId,
  type StreamSubject,
  type TimedId,
  type TotalFigures,
} from '../../../facts/stream-row';
import { TimeHistogram } from '../counting/time-histogram';
import type { MeasuredStream } from './measured-stream';
import { figuresOf, type NotMeasured, note, noteTail, reasons } from './row-reasons';
import { trustedLatency } from './stream-times';

/** Distributions are made of all times together, not of their figures. */
const aggregates = rowMetrics.flatMap(({ id, aggregate }) =>
  aggregate && aggregate !== 'merge' ? [{ id, aggregate }] : [],
);

/** The figures of a row out of those of its streams, by the `aggregate` of their metrics. */
export function totalsOf(
  subjects: readonly StreamSubject[],
  streams: readonly MeasuredStream[],
  bitrateMbps: number | null,
  notMeasured: NotMeasured,
  isDisturbed: boolean,
): TotalFigures {
  const of = new Columns(subjects, notMeasured);
  const figures = aggregates.map(({ id, aggregate }) => [id, of.figure(id, aggregate)]);
  const times = timesOf(streams, isDisturbed);
  return {
    // Every other figure has an `aggregate`: registry.test.ts.
    ...(Object.fromEntries(figures) as Numbers<StreamFigureId>),
    ...of.times('latencyMs', times.latencyMs),
    ...of.times('submitIntervalMs', times.submitIntervalMs),
    ...of.times('receiveIntervalMs', times.receiveIntervalMs),
    bitrateMbps,
    conserved: conservedOf(subjects, notMeasured),
  };
}

/** The times of all streams together. */
function timesOf(streams: readonly MeasuredStream[], isDisturbed: boolean): Record<TimedId, TimeHistogram> {
  return {
    latencyMs: merged(streams, (one) => (isDisturbed ? null : trustedLatency(one))),
    submitIntervalMs: merged(streams, ({ counter }) => counter?.submitInterval),
    receiveIntervalMs: merged(
      streams,
      ({ counter, foreign }) => foreign?.receiveInterval ?? counter?.receiveInterval,
    ),
  };
}

/** The figures of all streams by their ids, put together. */
class Columns {
  private readonly shownStream: number;

  constructor(
    private readonly subjects: readonly StreamSubject[],
    private readonly notMeasured: NotMeasured,
  ) {
    this.shownStream = subjects.findIndex(({ figures }) => figures.framesDisplayShown !== null);
  }

  figure(id: string, aggregate: Exclude<Aggregate, 'merge'>): number | null {
    switch (aggregate) {
      case 'sum':
        return this.subjects.length === 0 ? 0 : this.whole(id, total);
      case 'largest':
        return this.whole(id, (values) => Math.max(...values));
      case 'smallest':
        return this.whole(id, (values) => Math.min(...values));
      case 'sum-of-known':
        return this.known(id, total, Math.max(0, this.shownStream));
      case 'largest-of-known':
        return this.known(id, (values) => Math.max(...values));
      case 'farthest-of-known':
        return this.known(id, farthest);
    }
  }

  times<const Id extends TimedId>(id: Id, times: TimeHistogram) {
    if (times.count === 0) {
      const reason = this.subjects[0]?.notMeasured[`${id}.p50`] ?? reasons.noStream;
      note(this.notMeasured, [...figuresOf(id), `${id}.histogram`], reason);
    }
    const distribution = times.distribution();
    noteTail(this.notMeasured, id, distribution);
    const histogram = { [`${id}.histogram`]: times.bins() } as Record<`${Id}.histogram`, TimeBins>;
    return { ...distributionFigures(id, distribution), ...histogram };
  }

  /** Null as soon as one stream's figure is. */
  private whole(id: string, combine: (values: number[]) => number): number | null {
    const known = this.knownOf(id);
    if (known.length === this.subjects.length && known.length > 0) return combine(known);
    this.note(
      id,
      this.subjects.findIndex((subject) => numberOf(subject, id) === null),
    );
    return null;
  }

  /** Of the streams of which it is known; the reason why it is of none is that of the first, or of the one named. */
  private known(id: string, combine: (values: number[]) => number, absent = 0): number | null {
    const known = this.knownOf(id);
    if (known.length > 0) return combine(known);
    this.note(id, absent);
    return null;
  }

  private knownOf(id: string): number[] {
    return this.subjects.map((subject) => numberOf(subject, id)).filter((value) => value !== null);
  }

  private note(id: string, absent: number): void {
    const stream = this.subjects[absent];
    this.notMeasured[id] = stream
      ? `${stream.name}: ${stream.notMeasured[id] ?? 'not measured'}`
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
function conservedOf(subjects: readonly StreamSubject[], notMeasured: NotMeasured): boolean | null {
  if (subjects.some(({ figures }) => figures.conserved === false)) return false;
  const uncounted = subjects.find(({ figures }) => figures.conserved === null);
  if (!uncounted) return true;
  notMeasured.conserved = `${uncounted.name}: ${uncounted.notMeasured.conserved}`;
  return null;
}
