import { distributionSchema, gapHistogramSchema } from '../../../protocol/distribution';
import type { Row, StreamRow } from '../../../protocol/version-1/row';
import { TimeHistogram } from '../counting/time-histogram';
import type { MeasuredStream } from './measured-stream';
import { figuresOf, type NotMeasured, note, reasons } from './row-reasons';
import { shownKeys } from './shown-figures';

const summedKeys = [
  ...(['framesScheduled', 'framesLateSource', 'framesLateSourceDisk', 'framesLateSourceDecode'] as const),
  ...(['framesLateSourceDamaged', 'framesSenderMissed', 'framesSubmitted', 'picturesCaptured'] as const),
  ...(['framesReceived', 'framesDropped', 'framesDroppedReceiverQueue', 'framesDroppedTransport'] as const),
  ...(['framesMissing', 'framesDuplicated', 'framesReordered', 'framesTorn', 'framesDamaged'] as const),
  ...(['framesUndecodable', 'framesUndecodableUnmatched', 'picturesWrongSource'] as const),
  ...(['stalls', 'audioBlocksMissing'] as const),
] as const;

/** Of these the row tells the largest: of all streams, or of those of which it is known. */
const largestKeys = ['worstWindowLost', 'worstSecondLost', 'longestGapMs', 'connectMs'] as const;
const largestKnownKeys = [
  ...(['latencyFramesP50', 'latencyJitterMs', 'latencyUncertaintyMs'] as const),
  ...(['submitJitterMs', 'receiveJitterMs'] as const),
] as const;
/** Of these the one that is farthest from 0, with its sign. */
const farthestKnownKeys = ['clockOffsetMs', 'audioOffsetMs', 'audioDriftMs'] as const;

const gapClasses = Object.keys(gapHistogramSchema.shape) as (keyof typeof gapHistogramSchema.shape)[];

type Totals = Omit<
  StreamRow,
  | ('streamId' | 'name' | 'method' | 'losses' | 'firstFrame' | 'lastFrame')
  | ('droppedFrames' | 'missedFrames' | 'notMeasured' | 'verdict' | 'reason')
> &
  Required<Pick<Row, 'histograms'>>;

/** Sums of the counts, worst of the rest; a sum is null as soon as one stream's figure is. */
export function totalsOf(
  perStream: readonly StreamRow[],
  streams: readonly MeasuredStream[],
  trafficMbps: number | null,
  notMeasured: Row['notMeasured'],
): Totals {
  const of = new Columns(perStream, notMeasured);
  const latency = merged(streams, ({ counter }) =>
    counter?.negativeLatencies === 0 ? counter.latency : null,
  );
  const submitInterval = merged(streams, ({ counter }) => counter?.submitInterval);
  const receiveInterval = merged(
    streams,
    ({ counter, foreign }) => foreign?.receiveInterval ?? counter?.receiveInterval,
  );
  const shownStream = perStream.findIndex(({ framesDisplayShown }) => framesDisplayShown !== null);
  const figures = <Key extends string>(keys: readonly Key[], figure: (key: Key) => number | null) =>
    Object.fromEntries(keys.map((key) => [key, figure(key)])) as Record<Key, number | null>;
  return {
    ...figures(summedKeys, (key) => of.sum(key)),
    ...figures(largestKeys, (key) => of.whole(key, (values) => Math.max(...values))),
    ...figures(largestKnownKeys, (key) => of.known(key, (values) => Math.max(...values))),
    ...figures(farthestKnownKeys, (key) => of.known(key, farthest)),
    gapHistogram: figures(gapClasses, (name) => of.sum(`gapHistogram.${name}`)),
    ...figures(shownKeys, (key) => of.known(key, total, shownStream)),
    codeHealthMin: of.whole('codeHealthMin', (values) => Math.min(...values)),
    latencyMs: of.distribution('latencyMs', latency),
    submitIntervalMs: of.distribution('submitIntervalMs', submitInterval),
    receiveIntervalMs: of.distribution('receiveIntervalMs', receiveInterval),
    histograms: {
      latencyMs: latency.bins(),
      submitIntervalMs: submitInterval.bins(),
      receiveIntervalMs: receiveInterval.bins(),
    },
    bitrateMbps: trafficMbps,
    conserved: conservedOf(perStream, notMeasured),
  };
}

/** The figures of all streams by their path, put together. */
class Columns {
  constructor(
    private readonly perStream: readonly StreamRow[],
    private readonly notMeasured: NotMeasured,
  ) {}

  /** Of no stream, a sum is 0. */
  sum(path: string): number | null {
    if (this.perStream.length === 0) return 0;
    return this.whole(path, total);
  }

  /** Null as soon as one stream's figure is. */
  whole(path: string, combine: (values: number[]) => number): number | null {
    const values = this.values(path);
    const absent = values.indexOf(null);
    if (absent < 0 && values.length > 0) return combine(values as number[]);
    this.note(path, absent);
    return null;
  }

  /** Of the streams of which it is known; the reason why it is of none is that of the first, or of the one named. */
  known(path: string, combine: (values: number[]) => number, absent = 0): number | null {
    const known = this.values(path).filter((value): value is number => value !== null);
    if (known.length > 0) return combine(known);
    this.note(path, Math.max(0, absent));
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
