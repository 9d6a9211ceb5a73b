import { type Distribution, fewerValuesText, type TimeBins } from '../../../facts/distribution';
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
  const machines = receivingMachinesOf(streams);
  return {
    // Every other figure has an `aggregate`: registry.test.ts.
    ...(Object.fromEntries(figures) as Numbers<StreamFigureId>),
    ...of.receiverTimes('latencyMs', machines, (one) => (isDisturbed ? null : trustedLatency(one))),
    ...of.times(
      'submitIntervalMs',
      merged(streams, ({ counter }) => counter?.submitInterval),
    ),
    ...of.receiverTimes(
      'receiveIntervalMs',
      machines,
      ({ counter, foreign }) => foreign?.receiveInterval ?? counter?.receiveInterval,
    ),
    bitrateMbps,
    conserved: conservedOf(subjects, notMeasured),
  };
}

/** A machine that receives, and its streams in the row by their places there. */
interface OfMachine {
  /** Null: one machine receives all of them. */
  name: string | null;
  streams: readonly { measured: MeasuredStream; index: number }[];
}

function receivingMachinesOf(streams: readonly MeasuredStream[]): OfMachine[] {
  const placed = streams.map((measured, index) => ({ measured, index }));
  const names = [...new Set(streams.map(({ stream }) => stream.receiverHost))];
  if (names.length < 2) return [{ name: null, streams: placed }];
  return names.map((name) => ({
    name,
    streams: placed.filter(({ measured }) => measured.stream.receiverHost === name),
  }));
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

  /** Times of all streams together. */
  times<const Id extends TimedId>(id: Id, times: TimeHistogram) {
    if (times.count === 0) {
      const reason = this.whyWithout(id, this.subjects);
      note(this.notMeasured, [...figuresOf(id), `${id}.histogram`], reason);
    }
    const distribution = times.distribution();
    noteTail(this.notMeasured, id, distribution);
    const histogram = { [`${id}.histogram`]: times.bins() } as Record<`${Id}.histogram`, TimeBins>;
    return { ...distributionFigures(id, distribution), ...histogram };
  }

  /**
   * The same for times measured by receivers. If several machines receive, each figure is the highest of theirs, and the histogram counts
   * all.
   */
  receiverTimes<const Id extends TimedId>(id: Id, machines: readonly OfMachine[], pick: PickTimes) {
    const all = merged(
      machines.flatMap(({ streams }) => streams.map(({ measured }) => measured)),
      pick,
    );
    if (machines.length < 2 || all.count === 0) return this.times(id, all);
    const distributions = machines.map(({ name, streams }) => {
      const times = merged(
        streams.map(({ measured }) => measured),
        pick,
      );
      if (times.count === 0) {
        const subjects = streams.flatMap(({ index }) => this.subjects[index] ?? []);
        this.noteOf(`${name}`, figuresOf(id), this.whyWithout(id, subjects));
      } else if (times.distribution().p999 === null)
        this.noteOf(`${name}`, [`${id}.p999`], fewerValuesText('p999'));
      return times.distribution();
    });
    const histogram = { [`${id}.histogram`]: all.bins() } as Record<`${Id}.histogram`, TimeBins>;
    return { ...distributionFigures(id, highestOf(distributions)), ...histogram };
  }

  private whyWithout(id: TimedId, subjects: readonly StreamSubject[]): string {
    const known = subjects.flatMap(({ notMeasured }) => notMeasured[`${id}.p50`] ?? []);
    return known[0] ?? reasons.noStream;
  }

  /** Each machine that lacks a figure is named. */
  private noteOf(machine: string, paths: readonly string[], reason: string): void {
    for (const path of paths) {
      const before = this.notMeasured[path] === undefined ? '' : `${this.notMeasured[path]}; `;
      this.notMeasured[path] = `${before}${machine}: ${reason}`;
    }
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

  /** Over the streams for which the figure is known. If it is known for none, the reason is that of the first, or of the one named. */
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

type PickTimes = (stream: MeasuredStream) => TimeHistogram | null | undefined;

/** Each figure by itself; null if one lacks it. The smallest of all is the smallest. */
function highestOf(all: readonly Distribution[]): Distribution {
  const of = (name: keyof Distribution): number | null => {
    const values = all.map((one) => one[name]);
    if (values.some((value) => value === null)) return null;
    const known = values.filter((value) => value !== null);
    return name === 'min' ? Math.min(...known) : Math.max(...known);
  };
  return {
    ...{ min: of('min'), p50: of('p50'), p90: of('p90') },
    ...{ p99: of('p99'), p999: of('p999'), max: of('max') },
  };
}

/** The times of all streams as one distribution. */
function merged(streams: readonly MeasuredStream[], pick: PickTimes): TimeHistogram {
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
