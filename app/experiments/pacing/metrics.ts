import { count, extreme, extremeIfEnd, type Metric } from '../../facts/metrics/metric';

const stamps = 'receive stamps of the kernel or the card (SO_TIMESTAMPING)';
const sending = 'sending thread';
const words = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;
const summed = { countedOver: 'measuredSeconds' };

/** Figures of intervals, by what they are taken over. */
interface Intervals {
  id: string;
  heading: string;
  what: string;
  source: string;
}

const received: Intervals = {
  ...{ id: 'pacing.interval', heading: '', source: stamps },
  what: 'of the intervals between packets at the receiver',
};
const undisturbed: Intervals = {
  ...{ id: 'pacing.undisturbed', heading: 'Undisturbed ', source: `${stamps}; ${sending}, /proc/stat` },
  what:
    'of the intervals outside of the times in which the hypervisor or another thread held the sender up, each time ' +
    'extended by one interval on both sides',
};
const submitted: Intervals = {
  ...{ id: 'pacing.submit', heading: 'Submit ', source: `${sending}, monotonic clock` },
  what: 'of the intervals between the calls that handed packets to the kernel: the sender’s own jitter',
};

const transmitted: Intervals = {
  ...{ id: 'pacing.transmit', heading: 'Transmit ', source: 'transmit stamps of the kernel (error queue)' },
  what: 'of the intervals between the times at which the kernel gave packets to the driver: the sender’s share of the jitter',
};

function figure(
  { id, heading, what, source }: Intervals,
  name: string,
  ownHeading: string,
  formula: string,
  which: string,
  digits = 0,
): Metric {
  return {
    ...{ id: `${id}.${name}`, heading: capital(`${heading}${ownHeading}`), unit: 'ns', digits },
    ...{
      direction: ['meanNs', 'minNs', 'p001Ns', 'p50Ns'].includes(name) ? 'none' : 'lower',
      formula,
      source,
    },
    description: `${capital(which)} ${what}.`,
    ...extremeIfEnd(name),
  };
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function spreads(of: Intervals): Metric[] {
  return [
    figure(of, 'sdNs', 'sd', '√(Σ(interval − mean)² / (n − 1))', 'standard deviation', 1),
    figure(of, 'rangeNs', 'range', 'max − min', 'longest less shortest'),
    figure(of, 'iqrNs', 'IQR', '75th − 25th percentile', 'range of the middle half'),
    figure(of, 'p001Ns', 'p0.1', '0.1th percentile (of 1,000 values or more)', '1 in 1000 was shorter'),
    figure(of, 'p999Ns', 'p99.9', '99.9th percentile (of 1,000 values or more)', '1 in 1000 was longer'),
  ];
}

const series = { unit: 'µs', digits: 3, direction: 'none', shape: 'series' } as const;
const overTime = { over: { heading: 'Time', unit: 's' } };

/** Figures of the experiment `pacing`. */
export const pacingMetrics: readonly Metric[] = [
  {
    ...{
      id: 'pacing.method',
      heading: 'Method',
      ...words,
      formula: 'as set for the row',
      source: 'parameters',
    },
    description: 'How packets were sent in time; listen: by another sender.',
  },
  {
    ...count(
      'pacing.packetsPerWakeUp',
      'Packets per wake-up',
      'none',
      'as set for the row',
      'Packets that the sender handed over each time it woke.',
      'parameters',
    ),
  },
  {
    ...count(
      'pacing.streamsBeside',
      'Streams beside',
      'none',
      'as set for the row',
      'NDI streams that ran on the path of the packets at the same time.',
      'parameters',
    ),
  },
  {
    ...{ id: 'pacing.path', heading: 'Path', ...words, formula: 'as found', source: 'parameters, kernel' },
    description: 'What lay between sender and receiver.',
  },
  {
    ...{ id: 'pacing.stamps', heading: 'Stamps', ...words, formula: 'as found', source: 'kernel' },
    description: 'Who took the receive stamps: software, the kernel; hardware, the network card.',
  },
  {
    ...{
      id: 'pacing.policy',
      heading: 'Sender’s policy',
      ...words,
      formula: 'as in force',
      source: 'kernel',
    },
    description: 'What the sending thread ran under, and what of it was refused.',
  },
  figure(received, 'meanNs', 'mean', 'Σ interval / n', 'mean', 1),
  figure(received, 'minNs', 'min', 'min', 'shortest'),
  figure(received, 'maxNs', 'max', 'max', 'longest'),
  figure(received, 'p50Ns', 'p50', '50th percentile', 'half were shorter'),
  figure(received, 'p99Ns', 'p99', '99th percentile', '1 in 100 was longer'),
  figure(
    received,
    'p9999Ns',
    'p99.99',
    '99.99th percentile (of 10,000 values or more)',
    '1 in 10,000 was longer',
  ),
  ...[received, undisturbed, submitted, transmitted].flatMap(spreads),
  {
    ...{ id: 'pacing.interval.curve', heading: 'Interval', ...series, source: stamps },
    over: { heading: 'Packets that arrived after a shorter interval', unit: '%' },
    formula: 'percentiles of the intervals',
    description: 'The whole distribution: how many intervals were shorter than each.',
  },
  {
    ...{ id: 'pacing.interval.histogram', heading: 'Interval', unit: 'ms', digits: 0 },
    ...{ direction: 'none', shape: 'histogram', source: stamps },
    formula:
      'number of intervals in each of 50 bins a decade, equally wide on a logarithmic axis, from 1 µs on',
    description: 'How often each interval occurred.',
  },
  {
    ...{
      id: 'pacing.interval.longestUs',
      heading: 'Longest interval',
      ...series,
      ...overTime,
      source: stamps,
    },
    formula: 'max of each second',
    description: 'When the longest intervals occurred.',
  },
  {
    ...{
      id: 'pacing.interval.shortestUs',
      heading: 'Shortest interval',
      ...series,
      ...overTime,
      source: stamps,
    },
    formula: 'min of each second',
    description: 'When the shortest intervals occurred.',
  },
  {
    ...{ id: 'pacing.excludedPercent', heading: 'Excluded', unit: '%', digits: 2, direction: 'lower' },
    formula: 'intervals that touch a window in which something held the sender / all intervals · 100',
    description: 'Share of the intervals that the undisturbed figures leave out.',
    source: undisturbed.source,
  },
  {
    ...count(
      'pacing.packetsSent',
      'Sent',
      'none',
      'calls that took a packet',
      'Packets handed to the kernel.',
      sending,
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.packetsLost',
      'Lost',
      'lower',
      'packets of the schedule − different packets that came, by their numbers',
      'Packets that never came.',
      'sequence number and presentation time of each packet',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.packetsReordered',
      'Reordered',
      'lower',
      'packets that came after one of a higher number',
      'Packets that arrived out of order.',
      'sequence number and presentation time of each packet',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.packetsDuplicated',
      'Duplicated',
      'lower',
      'packets that had come before',
      'Packets that arrived more than once.',
      'sequence number and presentation time of each packet',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.packetsEarly',
      'Early',
      'lower',
      'packets with time by the schedule − stamp > one interval',
      'Packets that arrived before the previous packet was due.',
      stamps,
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.packetsLate',
      'Late',
      'lower',
      'packets with stamp − time by the schedule > one interval',
      'Packets that arrived after the next packet was due.',
      stamps,
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.longestLateRun',
      'Longest late run',
      'lower',
      'max number of late packets one after the other',
      'How many packets in a row were late.',
      stamps,
    ),
    ...extreme,
  },
  {
    ...{
      id: 'pacing.missedPercent',
      heading: 'Missed presentation',
      unit: '%',
      digits: 4,
      direction: 'lower',
    },
    formula:
      'packets with stamp − time by the schedule > maxTransitMs + presentationToleranceMs / packets · 100',
    description: 'Share of the packets that arrived after their presentation time.',
    source: stamps,
  },
  {
    ...{ id: 'pacing.timeIntervalErrorNs', heading: 'MTIE', unit: 'ns', digits: 0, direction: 'lower' },
    formula: 'max − min of (stamp − time by the schedule)',
    ...extreme,
    description:
      'Maximum time interval error: how much any two packets were further apart, or closer, than due.',
    source: stamps,
  },
  {
    ...count(
      'pacing.holds',
      'Holds',
      'lower',
      'jumps of over 10 µs between two readings of the clock while spinning',
      'How often something else ran on the sender’s core while it spun.',
      sending,
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.stolenWindows',
      'Stolen windows',
      'lower',
      'looks, each 20 ms, at which the stolen ticks of the sender’s core had risen',
      'How often the hypervisor took the sender’s core away.',
      '/proc/stat',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.foreignPackets',
      'Foreign',
      'none',
      'packets of other senders, streams, subtypes and protocols, and sound in forms that are not read',
      'What else came.',
      'receiver',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.damagedPackets',
      'Damaged',
      'lower',
      'packets that were cut off or whose fields contradict each other',
      'What could not be read.',
      'receiver',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.overflowed',
      'Overflowed',
      'lower',
      'packets dropped because the receiving socket’s buffer was full',
      'Packets lost because the receiver was too slow. Lost packets include them.',
      'SO_MEMINFO',
    ),
    ...summed,
  },
  {
    ...{ id: 'pacing.pathMbps', heading: 'Path carried', unit: 'Mb/s', digits: 1, direction: 'none' },
    formula: '8 · bytes that the sending interface transmitted / time',
    description:
      'Traffic of the packets and of the streams beside them together, from about a second before the first packet.',
    source: '/proc/net/dev of the sending end',
  },
  {
    ...count(
      'pacing.besideFramesReceived',
      'Frames beside',
      'none',
      'frames received of all streams beside',
      'Frames of the NDI streams that arrived while packets were sent.',
      'frame code of each frame',
    ),
    ...summed,
  },
  {
    ...count(
      'pacing.besideFramesMissing',
      'Frames missing beside',
      'lower',
      'frames dropped + frames that the senders missed',
      'Frames of the streams beside that did not come.',
      'frame code of each frame',
    ),
    ...summed,
  },
  {
    ...{ id: 'pacing.wakeUpsPerSecond', heading: 'Wake-ups', unit: '1/s', digits: 0, direction: 'lower' },
    formula: 'sleeps of the sending thread / time',
    description: 'How often the sender had to be scheduled.',
    source: sending,
  },
  {
    ...{ id: 'pacing.senderCpuPercent', heading: 'Sender CPU', unit: '%', digits: 1, direction: 'lower' },
    formula: 'processor time of the sending process / time, one core = 100 %',
    description: 'What sending cost.',
    source: 'CLOCK_PROCESS_CPUTIME_ID',
  },
  {
    ...{ id: 'pacing.receiverCpuPercent', heading: 'Receiver CPU', unit: '%', digits: 1, direction: 'lower' },
    formula: 'processor time of the receiving process / time, one core = 100 %',
    description: 'What receiving cost, the kernel’s work for each packet left out.',
    source: 'CLOCK_PROCESS_CPUTIME_ID',
  },
  {
    ...{ id: 'pacing.slewPpm', heading: 'Slew', unit: 'ppm', digits: 3, direction: 'none', signed: true },
    formula: '(CLOCK_MONOTONIC / CLOCK_MONOTONIC_RAW over the row − 1) · 10⁶',
    description: 'How much faster than its oscillator the clock of schedule and stamps was made to run.',
    source: 'receiver',
  },
];
