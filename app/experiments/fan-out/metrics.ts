import { count, type Direction, extremeIfEnd, type Metric } from '../../facts/metrics/metric';

const publisher = 'publisher';
const subscriber = 'subscriber, header of each sample';
const counter = 'counter of the datagrams that leave the publisher (AF_PACKET)';
const processor = 'CLOCK_PROCESS_CPUTIME_ID';
const parameters = { formula: 'as set for the row', source: 'parameters' };
const words = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;
const summed = { countedOver: 'measuredSeconds' };
const id = (name: string): string => `ddsFanOut.${name}`;

function step(name: string, heading: string, description: string, unit = ''): Metric {
  return { id: id(name), heading, unit, digits: 0, direction: 'none', description, ...parameters };
}

function number(
  ...[name, heading, unit, digits, direction]: [string, string, string, number, Direction]
): Pick<Metric, 'id' | 'heading' | 'unit' | 'digits' | 'direction'> {
  return { id: id(name), heading, unit, digits, direction };
}

function rate(name: string, heading: string, formula: string, description: string): Metric {
  return { ...number(name, heading, 'Mb/s', 2, 'higher'), formula, description, source: subscriber };
}

function counted(...[name, heading, direction, ...rest]: Parameters<typeof count>): Metric {
  return { ...count(id(name), heading, direction, ...rest), ...summed };
}

function percent(
  name: string,
  heading: string,
  formula: string,
  description: string,
  source: string,
  direction: Direction = 'lower',
): Metric {
  return { ...number(name, heading, '%', 1, direction), formula, description, source };
}

function latency(name: string, heading: string, formula: string, description: string): Metric {
  return {
    ...number(`latency.${name}`, `Latency ${heading}`, 'µs', 1, 'lower'),
    formula: `${formula} of the round trips / 2`,
    ...extremeIfEnd(name),
    description,
    source: 'publisher, monotonic clock',
  };
}

/** Figures of the experiment `fan-out`: of a row, and of each of its subscribers. */
export const fanOutMetrics: readonly Metric[] = [
  { id: id('measure'), heading: 'Measure', ...words, ...parameters, description: 'Throughput or latency.' },
  {
    ...{ id: id('case'), heading: 'Case', ...words, ...parameters },
    description: 'How samples went to the subscribers.',
  },
  step('sampleBytes', 'Sample', 'Serialized size of a sample.', 'B'),
  step('subscribers', 'Subscribers', 'Subscribers of the one publisher.'),
  rate(
    'throughputMbps',
    'Throughput',
    '8 · bytes of samples that came / time from begin to the last of them, or to the last write where that was later; of a row: mean over the subscribers',
    'What each subscriber got.',
  ),
  rate('minMbps', 'Min', 'min over the subscribers', 'Throughput of the subscriber that got least.'),
  rate('medianMbps', 'Median', 'median over the subscribers', 'Half of the subscribers got at least this.'),
  rate(
    'p90Mbps',
    'P90',
    '90th percentile over the subscribers, nearest rank',
    '9 of 10 subscribers got at most this.',
  ),
  rate('maxMbps', 'Max', 'max over the subscribers', 'Throughput of the subscriber that got most.'),
  {
    ...number('idealMbps', 'Ideal', 'Mb/s', 2, 'none'),
    formula:
      'rate of the link · bytes of samples / bytes of their datagrams with all headers on the link, by unicast / subscribers',
    description:
      'What each subscriber would get if the link carried nothing but samples, each once for each destination.',
    source: `parameters; ${counter}`,
  },
  {
    ...number('idealPercent', 'Of the ideal', '%', 1, 'higher'),
    formula: 'median / ideal · 100',
    description: 'Share of the usable payload rate that the median subscriber got.',
    source: `${subscriber}; ${counter}`,
  },
  {
    ...{ id: id('limit'), heading: 'Full', ...words, source: 'all processes of the row' },
    formula:
      'link, busiest thread of the publisher or of a subscriber, and machine CPU at 90 % of what they can and more, the last where this row took ' +
      'three quarters of the load or more; socket buffer: datagrams were thrown away; acknowledgements, in the two cases that have them: the publisher’s thread slept ' +
      'inside of writes for 10 % of the time and more while neither the link nor, by other programs, the machine was full; network: the same ' +
      'between machines in the other cases',
    description:
      'What was at its limit: why the throughput was no higher. Acknowledgements: the publisher waited for them.',
  },
  {
    ...{ id: id('path'), heading: 'Path', ...words, formula: 'as counted', source: counter },
    description: 'Where samples went, and over which network.',
  },
  counted('samplesSent', 'Sent', 'none', 'writes that were taken', 'Samples that were published.', publisher),
  counted(
    'samplesReceived',
    'Received',
    'none',
    'different samples that came; of a row: sum over the subscribers',
    'Samples that a subscriber got.',
    subscriber,
  ),
  counted(
    'samplesLost',
    'Lost',
    'lower',
    'samples sent − different samples that came; of a row: sum over the subscribers',
    'Samples that a subscriber never got.',
    subscriber,
  ),
  counted(
    'samplesDuplicated',
    'Duplicated',
    'lower',
    'samples that had come before',
    'Samples that arrived more than once.',
    subscriber,
  ),
  counted(
    'samplesReordered',
    'Reordered',
    'lower',
    'samples that came after one of a higher number',
    'Samples that arrived out of order.',
    subscriber,
  ),
  counted(
    'samplesDamaged',
    'Damaged',
    'lower',
    'samples whose header at one end is not that at the other',
    'Samples that did not come as they were sent.',
    subscriber,
  ),
  counted(
    'overflowed',
    'Overflowed',
    'lower',
    'datagrams dropped because a subscriber’s socket buffer was full',
    'Datagrams lost because a subscriber was too slow.',
    '/proc/net/udp',
  ),
  {
    ...number('samplesPerSecond', 'Samples', '1/s', 0, 'higher'),
    formula: 'samples sent / time from the first to the last write',
    description: 'How fast the publisher published.',
    source: publisher,
  },
  {
    ...number('datagramsPerPayload', 'Datagrams per payload', '', 3, 'none'),
    formula: 'datagrams with samples, sent for the first time, to all destinations / payloads of DDS',
    description:
      'Shows which path the samples took: by multicast, the fragments of a payload; by unicast, that number for each subscriber. A batch is one payload.',
    source: counter,
  },
  counted(
    'destinations',
    'Destinations',
    'none',
    'different addresses and ports that samples went to',
    'By unicast one for each subscriber, by multicast the group.',
    counter,
  ),
  counted(
    'resends',
    'Resends',
    'lower',
    'datagrams with samples that had been sent to the same destination before',
    'Datagrams sent again because a subscriber lacked them.',
    counter,
  ),
  counted(
    'heartbeats',
    'Heartbeats',
    'none',
    'datagrams that announce which samples the publisher has sent',
    'What reliable delivery costs the publisher’s side of the network.',
    counter,
  ),
  counted(
    'acknowledgements',
    'Acknowledgements',
    'lower',
    'datagrams in which subscribers report which samples they have or lack',
    'What reliable delivery costs the subscribers’ side of the network.',
    counter,
  ),
  latency(
    'minUs',
    'min',
    'min',
    'Half of the shortest round trip. It is the time of one way only if both ways take equally long.',
  ),
  latency('p50Us', 'p50', '50th percentile', 'Half of the samples took less.'),
  latency('p90Us', 'p90', '90th percentile', '1 in 10 samples took longer.'),
  latency('p99Us', 'p99', '99th percentile', '1 in 100 samples took longer.'),
  latency(
    'p9999Us',
    'p99.99',
    '99.99th percentile (of 10,000 values or more)',
    '1 in 10,000 samples took longer.',
  ),
  latency('maxUs', 'max', 'max', 'The longest.'),
  counted(
    'roundTrips',
    'Round trips',
    'none',
    'samples that came back',
    'Number of round trips behind the latency.',
    publisher,
  ),
  counted(
    'roundTripsTimedOut',
    'Timed out',
    'lower',
    'samples that did not come back in time',
    'Round trips that were given up.',
    publisher,
  ),
  percent(
    'publisherCpuPercent',
    'Publisher CPU',
    'processor time of the publishing process / time, one core = 100 %',
    'What publishing cost.',
    processor,
  ),
  percent(
    'subscriberCpuPercent',
    'Subscriber CPU',
    'processor time of a subscribing process / time, one core = 100 %; of a row: max over the processes',
    'CPU load of the busiest process of subscribers. A subscriber’s own figure is that of its whole process.',
    processor,
  ),
  percent(
    'subscribersCpuPercent',
    'All subscribers’ CPU',
    'sum over the subscribing processes of processor time / time, one core = 100 %',
    'What subscribing cost in all.',
    processor,
  ),
  percent(
    'machineCpuPercent',
    'Machine CPU',
    '(1 − idle and stolen time of all cores / (time · cores)) · 100, from begin to the end of the time; of another machine: mean of its load samples',
    'How busy the machine was; of several, the busiest.',
    '/proc/stat',
    'none',
  ),
  percent(
    'waitedPercent',
    'Publisher waited',
    'time in which the publisher’s thread slept inside of writes / time · 100',
    'How long the network or the subscribers made the publisher wait. It neither ran nor waited for a processor meanwhile.',
    publisher,
    'none',
  ),
  {
    ...number('publisherMbps', 'Network at the publisher', 'Mb/s', 2, 'none'),
    formula: '8 · bytes of datagrams that left, with what each takes of the link / time',
    description: 'Traffic on the publisher’s side of the network.',
    source: counter,
  },
  {
    ...number('subscriberMbps', 'Network at the subscribers', 'Mb/s', 2, 'none'),
    formula: '8 · bytes that the subscribers’ interfaces received / time',
    description: 'Traffic on the subscribers’ side of the network, all namespaces together.',
    source: '/proc/net/dev of each namespace',
  },
  {
    ...number('matchSeconds', 'Matched after', 's', 2, 'lower'),
    formula:
      'time from the start of the processes until the last subscriber that matched had found its publisher',
    description: 'How long discovery took.',
    source: subscriber,
  },
  count(
    id('unmatched'),
    'Unmatched',
    'lower',
    'subscribers that never found their publisher',
    'Subscribers without a sample.',
    subscriber,
  ),
  {
    ...{ id: id('receivesAt'), heading: 'Receives at', ...words, formula: 'as opened', source: 'subscriber' },
    description:
      'Address and port at which a subscriber takes samples; of a row: those of the first and of the last.',
  },
];
