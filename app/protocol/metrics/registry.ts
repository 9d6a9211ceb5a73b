/**
 * The one registry of metrics: tooltips, table and CSV heads, the report's definitions and docs/metrics.md come from
 * here. `id` is the path of the figure in a row of `rows.jsonl`.
 */

export type Direction = 'lower' | 'higher' | 'none';

export interface Metric {
  id: string;
  /** Short, for the head of a column. */
  heading: string;
  /** Empty for a count. */
  unit: string;
  digits: number;
  /** Which way is better. */
  direction: Direction;
  formula: string;
  description: string;
  /** Where the figure is taken. */
  source: string;
}

function count(
  id: string,
  heading: string,
  direction: Direction,
  formula: string,
  description: string,
  source: string,
): Metric {
  return { id, heading, unit: '', digits: 0, direction, formula, description, source };
}

const frames: Metric[] = [
  count(
    'framesScheduled',
    'Scheduled',
    'none',
    'slots of the schedule in the row',
    'Frames the schedule asked for.',
    'source thread',
  ),
  count(
    'framesLateSource',
    'Late source',
    'lower',
    'slots released with the picture before',
    'The movie’s picture was not ready at its slot: the last one was shown again under a fresh line and code, and submitted.',
    'source thread',
  ),
  count(
    'framesLateSourceDisk',
    'late: disk',
    'lower',
    'late slots of cause disk',
    'Late because reading the movie’s file took too long. Not told of a movie that ffmpeg plays.',
    'source thread',
  ),
  count(
    'framesLateSourceDecode',
    'late: decode',
    'lower',
    'late slots of cause decode',
    'Late because decoding took too long: the CPU was too slow. Not told of a movie that ffmpeg plays.',
    'source thread',
  ),
  count(
    'framesLateSourceDamaged',
    'late: damaged',
    'lower',
    'late slots of cause damaged',
    'The movie’s picture could not be read or decoded at all. Not told of a movie that ffmpeg plays.',
    'source thread',
  ),
  count(
    'framesSenderMissed',
    'Missed',
    'lower',
    'slots whose submit had not begun by the next slot',
    'Nothing was submitted for the slot; the number never appears.',
    'source thread, at the slot’s deadline',
  ),
  count(
    'framesSubmitted',
    'Submitted',
    'none',
    'submit records',
    'Frames handed to the NDI SDK.',
    'sender thread, before the send call',
  ),
  count(
    'picturesCaptured',
    'Captured',
    'none',
    'capture records = received + duplicated + undecodable unmatched',
    'Pictures that the SDK handed to the receiver.',
    'receiver thread',
  ),
  count(
    'framesReceived',
    'Received',
    'higher',
    'distinct frame numbers seen + undecodable pictures matched to a gap',
    'Frames that arrived, torn and damaged ones included.',
    'frame code, receiver thread',
  ),
  count(
    'framesDropped',
    'Dropped',
    'lower',
    'submitted numbers not seen when the row closed',
    'Submitted and never captured. The row closes at most 2 s after its last slot.',
    'submit records against capture records',
  ),
  count(
    'framesDroppedReceiverQueue',
    'in queue',
    'lower',
    'per gap: min(gap, rise of the SDK’s drop counter)',
    'Dropped because pictures were not fetched in time.',
    'capture records, SDK performance counter',
  ),
  count(
    'framesDroppedTransport',
    'in transport',
    'lower',
    'dropped − dropped in queue',
    'Dropped between our send call and our capture call: the SDK’s own discard or the wire.',
    'capture records',
  ),
  count(
    'framesMissing',
    'Missing',
    'lower',
    'numbers not seen between the first and the last one seen',
    'Loss of a stream whose sender’s records are not known: not attributed to sender or transport.',
    'frame code alone',
  ),
  count(
    'framesDuplicated',
    'Duplicated',
    'lower',
    'captures of a number seen before',
    'Pictures that came again.',
    'frame code',
  ),
  count(
    'framesReordered',
    'Reordered',
    'lower',
    'captures of a number lower than the highest seen and not seen before (RFC 4737)',
    'Received, but late by at least one frame.',
    'frame code',
  ),
  count(
    'framesTorn',
    'Torn',
    'lower',
    'captures whose two strips carry different contents',
    'The picture is made of two frames; it counts as the later one.',
    'frame code',
  ),
  count(
    'framesDamaged',
    'Damaged',
    'lower',
    'captures with exactly one valid strip',
    'Part of the picture is spoilt; the valid strip’s number counts.',
    'frame code',
  ),
  count(
    'framesUndecodable',
    'Undecodable',
    'lower',
    'captures without a valid strip, matched to a gap',
    'A picture came in the place of a number, but shows no code.',
    'frame code',
  ),
  count(
    'framesUndecodableUnmatched',
    'Unmatched',
    'lower',
    'captures without a valid strip, no gap around them',
    'A picture too many without a code.',
    'frame code',
  ),
  count(
    'framesDisplayMissed',
    'Not shown',
    'lower',
    'captured, not shown by the display window in its time',
    'Counted only while a display window shows the stream.',
    'display window',
  ),
  count(
    'stalls',
    'Stalls',
    'lower',
    'intervals without a capture of max(0.5 s, 15 frames) or more while the sender submits',
    'The picture stood still.',
    'capture records',
  ),
  count(
    'worstWindowLost',
    'Worst 2 s',
    'lower',
    'max over all 2 s windows of (dropped + undecodable)',
    'Lost frames in the worst two seconds of the worst stream.',
    'frame numbers',
  ),
];

const times: Metric[] = [
  {
    id: 'longestGapMs',
    heading: 'Longest gap',
    unit: 'ms',
    digits: 1,
    direction: 'lower',
    formula: 'max interval between captures of new numbers, the row’s edges included',
    description: 'The longest time without a new frame: one long freeze does not hide in a count.',
    source: 'capture times',
  },
  {
    id: 'connectMs',
    heading: 'Connect',
    unit: 'ms',
    digits: 0,
    direction: 'lower',
    formula: 'first capture − stream added',
    description: 'From Add stream to the first picture; the slowest stream of the row.',
    source: 'engine and receiver thread',
  },
  {
    id: 'codeHealthMin',
    heading: 'Code health',
    unit: '',
    digits: 2,
    direction: 'higher',
    formula: 'smallest distance of a cell from the threshold / half the sync’s contrast',
    description: 'How well the frame code could be read; 1 is perfect. An early warning before a code fails.',
    source: 'frame code',
  },
  {
    id: 'latencyMs.min',
    heading: 'Latency min',
    unit: 'ms',
    digits: 2,
    direction: 'lower',
    formula: 'min(capture time − release time)',
    description: 'From just before the frame is handed to its senders to the return of the capture call.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'latencyMs.p50',
    heading: 'Latency p50',
    unit: 'ms',
    digits: 2,
    direction: 'lower',
    formula: '50th percentile of capture time − release time',
    description: 'Half of the frames were faster.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'latencyMs.p90',
    heading: 'Latency p90',
    unit: 'ms',
    digits: 2,
    direction: 'lower',
    formula: '90th percentile of capture time − release time',
    description: 'One frame in ten was slower.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'latencyMs.p99',
    heading: 'Latency p99',
    unit: 'ms',
    digits: 2,
    direction: 'lower',
    formula: '99th percentile of capture time − release time',
    description: 'One frame in a hundred was slower.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'latencyMs.p999',
    heading: 'Latency p99.9',
    unit: 'ms',
    digits: 2,
    direction: 'lower',
    formula: '99.9th percentile of capture time − release time',
    description: 'One frame in a thousand was slower.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'latencyMs.max',
    heading: 'Latency max',
    unit: 'ms',
    digits: 2,
    direction: 'lower',
    formula: 'max(capture time − release time)',
    description: 'The slowest frame.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'latencyFramesP50',
    heading: 'Latency',
    unit: 'frames',
    digits: 2,
    direction: 'lower',
    formula: 'latency p50 · frame rate',
    description: 'The median latency in frame periods.',
    source: 'frame code, monotonic clock',
  },
  {
    id: 'bitrateMbps',
    heading: 'Bitrate',
    unit: 'Mb/s',
    digits: 1,
    direction: 'none',
    formula: 'mean traffic of the streams’ interface − the same in row 0',
    description: 'Network traffic of all streams of the row.',
    source: 'kernel interface counters',
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
];

function hostLoad(side: 'sender' | 'receiver', name: string): Metric[] {
  const verb = side === 'sender' ? 'sending' : 'receiving';
  const percent = { unit: '%', digits: 1, direction: 'lower' as const };
  return [
    {
      id: `${side}.cpuMaxPercent`,
      heading: `${name} CPU max`,
      ...percent,
      formula: 'max of 1 s means, all cores = 100 %',
      description: `Highest CPU load of the ${side}’s machine in the row (the study’s figure).`,
      source: '/proc/stat',
    },
    {
      id: `${side}.cpuMeanPercent`,
      heading: `${name} CPU mean`,
      ...percent,
      formula: 'mean of 1 s means',
      description: `Mean CPU load of the ${side}’s machine in the row.`,
      source: '/proc/stat',
    },
    {
      id: `${side}.cpuP95Percent`,
      heading: `${name} CPU p95`,
      ...percent,
      formula: '95th percentile of 1 s means',
      description: `CPU load of the ${side}’s machine that 5 % of the row was above.`,
      source: '/proc/stat',
    },
    {
      id: `${side}.cpuProcessMaxPercent`,
      heading: `${name} process CPU`,
      ...percent,
      formula: 'max of 1 s means of the process’s CPU time, all cores = 100 %',
      description: `Highest CPU load of our ${verb} process, the SDK’s threads included.`,
      source: '/proc/PID/stat',
    },
    ...(
      [
        ['read', 'read', 'reading movies'],
        ['decode', 'decode', 'decoding movies'],
        ['ffmpeg', 'ffmpeg', 'the ffmpeg that plays a movie'],
        ['compose', 'compose', 'pacing, and drawing line and code'],
        ['send', 'submit', 'handing frames to the SDK'],
        ['receive', 'capture', 'taking frames from the SDK and reading their code'],
        ['sdk', 'SDK', 'the SDK’s own threads: compression, network'],
        ['other', 'other', 'all else: JavaScript, checks, threads that ended'],
      ] as const
    ).map(([part, word, what]) => ({
      id: `${side}.cpuParts.${part}`,
      heading: `${name} CPU ${word}`,
      ...percent,
      formula: 'mean of 1 s means of the threads’ CPU time, all cores = 100 %',
      description: `CPU load of our ${verb} process that went into ${what}.`,
      source: '/proc/PID/task/TID/schedstat',
    })),
    {
      id: `${side}.gpuMaxPercent`,
      heading: `${name} GPU max`,
      ...percent,
      formula: 'max of the driver’s utilisation',
      description: `Highest GPU load of the ${side}’s machine.`,
      source: 'nvidia-smi',
    },
    {
      id: `${side}.networkMaxMbps`,
      heading: `${name} network max`,
      unit: 'Mb/s',
      digits: 1,
      direction: 'none',
      formula: 'max of 1 s means, on the interface that carries the streams',
      description: `Highest network traffic of the ${side}; loopback when both ends are on one machine.`,
      source: '/proc/net/dev',
    },
    count(
      `${side}.wireErrors`,
      `${name} network errors`,
      'lower',
      'rise of the counters, both directions',
      `Packets that came damaged or could not be sent, on all interfaces that lead out of the ${side}’s machine.`,
      '/proc/net/dev',
    ),
    count(
      `${side}.wireDropped`,
      `${name} network drops`,
      'lower',
      'rise of the counters, both directions',
      `Packets dropped on all interfaces that lead out of the ${side}’s machine.`,
      '/proc/net/dev',
    ),
    count(
      `${side}.tcpRetransmits`,
      `${name} TCP retransmits`,
      'lower',
      'rise of RetransSegs',
      `TCP segments that the ${side}’s machine sent again, whatever sent them.`,
      '/proc/net/snmp',
    ),
    {
      id: `${side}.memoryMaxMb`,
      heading: `${name} memory`,
      unit: 'MB',
      digits: 0,
      direction: 'lower',
      formula: 'max of resident memory',
      description: `Memory of our ${verb} process.`,
      source: '/proc/PID/statm',
    },
  ];
}

const instrument: Metric[] = (['engine', 'window'] as const).map((part) => ({
  id: `instrument.${part}CpuMeanPercent`,
  heading: `${part === 'engine' ? 'Engine' : 'Window'} CPU`,
  unit: '%',
  digits: 1,
  direction: 'lower',
  formula: 'mean of 1 s means of the process’s CPU time, all cores = 100 %',
  description:
    part === 'engine' ? 'CPU load of the engine itself.' : 'CPU load of the window and all its processes.',
  source: '/proc/PID/stat',
}));

export const metrics: readonly Metric[] = [
  ...frames,
  ...times,
  ...hostLoad('sender', 'Sender'),
  ...hostLoad('receiver', 'Receiver'),
  ...instrument,
];

const byId = new Map(metrics.map((metric) => [metric.id, metric]));

/** @throws Error for an id that is not registered: a figure without a definition must not be shown */
export function metricOf(id: string): Metric {
  const metric = byId.get(id);
  if (!metric) throw new Error(`No metric is registered as ${id}`);
  return metric;
}

/** The value at a metric's path in a row, null where it was not measured. */
export function metricValue(row: object, id: string): number | null {
  let value: unknown = row;
  for (const key of id.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'number' ? value : null;
}

/** Heading with unit, for CSV heads and table columns. */
export function headingWithUnit(metric: Metric): string {
  return metric.unit === '' ? metric.heading : `${metric.heading} (${metric.unit})`;
}
