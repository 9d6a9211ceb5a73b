import { type Direction, extreme, extremeIfEnd, inGroup, type Metric, table } from './metric';

const ofSeveral = 'If several machines receive, the highest of their figures';

const percentiles = [
  ['p50', 'p50', '50th percentile of', 'half of the frames were below'],
  ['p90', 'p90', '90th percentile of', 'one frame in ten was above'],
  ['p99', 'p99', '99th percentile of', 'one frame in a hundred was above'],
  ['p999', 'p99.9', '99.9th percentile (of 1,000 values or more) of', 'one frame in a thousand was above'],
] as const;

/** Smallest, percentiles and largest of one time, from an HdrHistogram of 1 µs to 60 s with three digits. */
function distribution<const Id extends string>(
  id: Id,
  heading: string,
  of: string,
  description: string,
  source: string,
  direction: Direction,
  /** Which of them a table of streams has. */
  inTables: readonly string[],
  /** The receiver measures it. `offBy`: by which figure it may be off. */
  { isReceivers = false, offBy }: { isReceivers?: boolean; offBy?: string } = {},
): Metric<`${Id}.${'min' | 'max' | (typeof percentiles)[number][0]}`>[] {
  const figure = <Name extends string>(
    name: Name,
    text: string,
    formula: string,
    which: string,
  ): Metric<`${Id}.${Name}`> => ({
    id: `${id}.${name}` as const,
    ...{ heading: `${heading} ${text}`, unit: 'ms', digits: 2, direction },
    aggregate: 'merge',
    ...{
      formula,
      description: `${description}: ${which}.${isReceivers && name !== 'min' ? ` ${ofSeveral}.` : ''}`,
      source,
    },
    ...(!inTables.includes(name) && { isDetail: true }),
    ...(offBy !== undefined && { offBy }),
    distribution: { heading, formula: of, description },
    ...extremeIfEnd(name),
  });
  return [
    figure('min', 'min', `min(${of})`, 'the smallest'),
    ...percentiles.map(([name, text, formula, which]) => figure(name, text, `${formula} ${of}`, which)),
    figure('max', 'max', `max(${of})`, 'the largest'),
  ];
}

function jitter<const Id extends string>(id: Id, heading: string, of: string, source: string): Metric<Id> {
  return {
    ...{ id, heading, unit: 'ms', digits: 3, direction: 'lower', source, aggregate: 'largest-of-known' },
    formula: `mean of |x(i) − x(i−1)| over the ${of}; of the worst stream`,
    description: `How much the ${of} vary; 0 is perfectly even.`,
  };
}

export const timeMetrics = table([
  ...inGroup('time', [
    {
      id: 'longestGapMs',
      heading: 'Longest gap',
      unit: 'ms',
      digits: 1,
      direction: 'lower',
      aggregate: 'largest',
      ...extreme,
      formula:
        'max interval between captures of new numbers, the row’s edges and the first picture of a restarted sender included',
      description:
        'The longest time without a new frame. It shows a single long freeze, which a count would hide.',
      source: 'capture times',
    },
    {
      id: 'connectMs',
      heading: 'Connect',
      unit: 'ms',
      digits: 0,
      direction: 'lower',
      aggregate: 'largest',
      formula: 'first capture − stream added',
      description:
        'Time from Add stream to the first picture, of the slowest stream of the row. A later absence of the sender is an outage and is not included.',
      source: 'engine and receiver thread',
    },
  ]),
  {
    id: 'codeHealthMin',
    heading: 'Code health',
    unit: '',
    digits: 2,
    direction: 'higher',
    aggregate: 'smallest',
    most: 1,
    formula: 'smallest distance of a cell from the threshold / half the sync’s contrast',
    description: 'How well the frame code could be read; 1 is perfect. An early warning before a code fails.',
    source: 'frame code',
  },
  {
    id: 'lineWitnessPercent',
    heading: 'Picture witnessed',
    unit: '%',
    digits: 1,
    direction: 'higher',
    aggregate: 'smallest',
    most: 100,
    formula: 'places where the white line stands out from the picture / places where it was looked for',
    description:
      'How much of the picture’s height the white line proves whole. Parts of the picture that are as bright as the line prove nothing.',
    source: 'white line',
  },
  ...inGroup('time', [
    ...distribution(
      'latencyMs',
      'Latency',
      'capture time − release time',
      'From just before the frame is handed to its senders to the return of the capture call',
      'frame code, monotonic clock',
      'lower',
      ['p50', 'p99', 'max'],
      { isReceivers: true, offBy: 'latencyUncertaintyMs' },
    ),
    {
      id: 'latencyFramesP50',
      heading: 'Latency',
      unit: 'frames',
      digits: 2,
      direction: 'lower',
      aggregate: 'largest-of-known',
      isDetail: true,
      formula: 'latency p50 · frame rate',
      description: 'The median latency in frame periods.',
      source: 'frame code, monotonic clock',
    },
    jitter(
      'latencyJitterMs',
      'Latency jitter',
      'latencies of frames that follow each other',
      'frame code, monotonic clock',
    ),
    {
      id: 'latencyUncertaintyMs',
      heading: 'Latency ±',
      unit: 'ms',
      digits: 3,
      direction: 'lower',
      aggregate: 'largest-of-known',
      ...extreme,
      formula: 'largest uncertainty of the clock offset at any capture of the row',
      description:
        'How far the latency may be off, because the clocks of two machines are compared. Not measured on one machine, where both ends share a clock, exact to some µs.',
      source: 'questions for the time over the connection',
    },
  ]),
  {
    id: 'clockOffsetMs',
    heading: 'Clock offset',
    unit: 'ms',
    digits: 3,
    direction: 'none',
    signed: true,
    aggregate: 'farthest-of-known',
    isDetail: true,
    formula: 'sender’s release clock − ours at the end of the row',
    description: 'How far apart the clocks of the two machines are. The latency is corrected for it.',
    source: 'questions for the time over the connection',
  },
  ...inGroup('time', [
    ...distribution(
      'submitIntervalMs',
      'Submit interval',
      'begin of a send call − begin of the one before',
      'Time between two frames handed to the transport; a missed slot makes it longer',
      'sender thread, before the send call',
      'none',
      ['p99'],
    ),
    jitter('submitJitterMs', 'Submit jitter', 'submit intervals that follow each other', 'sender thread'),
    ...distribution(
      'receiveIntervalMs',
      'Receive interval',
      'capture of a new frame − capture of the new frame before',
      'Time between two new frames at the receiver; duplicates are ignored',
      'receiver thread, after the capture call',
      'none',
      ['p99'],
      { isReceivers: true },
    ),
    jitter(
      'receiveJitterMs',
      'Receive jitter',
      'receive intervals that follow each other',
      'receiver thread',
    ),
  ]),
  {
    id: 'bitrateMbps',
    heading: 'Bitrate',
    unit: 'Mb/s',
    digits: 1,
    direction: 'none',
    formula:
      'mean of 1 s means of what the sending processes’ own sockets sent; of senders that are not ours, of what our own received',
    description:
      'Network traffic of all streams of the row: payload with sound, metadata and retransmissions. UDP is measured only where our processes run as root. Not measured while streams outside the row were sent.',
    source: 'TCP_INFO of each socket of our stream processes, and nf_tables for their UDP ports',
  },
  {
    id: 'measuredSeconds',
    heading: 'Measured',
    unit: 's',
    digits: 1,
    direction: 'none',
    formula: 'last slot’s end − first slot’s time',
    description: 'Length of the measured range.',
    source: 'schedule',
  },
]);
