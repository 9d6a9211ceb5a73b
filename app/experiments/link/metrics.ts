import type { Metric } from '../../facts/metrics/metric';

/** Beside a figure, how it stands in the table of the experiment `link`. */
interface LinkMetric {
  role: 'step' | 'kind' | 'measure' | 'spread';
  metric: Metric;
}

const iperf = 'iperf3';
/** Of what adds up over a repeat. */
const inRepeat = { countedOver: 'link.repeatSeconds' };

function step(
  id: string,
  heading: string,
  unit: string,
  description: string,
  shape?: Metric['shape'],
): LinkMetric {
  const formula = 'as set for the row';
  const metric: Metric = {
    ...{ id: `link.${id}`, heading, unit, digits: 0, direction: 'none', shape },
    ...{ formula, description, source: 'parameters' },
  };
  return { role: 'step', metric };
}

/** A figure as the mean over a row's repeats, and a second one for the spread of the repeats. */
function repeated(metric: Metric, of = 'repeats'): LinkMetric[] {
  const id = `link.${metric.id}`;
  return [
    { role: 'measure', metric: { ...metric, id, formula: `mean over the ${of} of ${metric.formula}` } },
    {
      role: 'spread',
      metric: {
        ...metric,
        id: `${id}.sd`,
        heading: `${metric.heading} ±`,
        spreadOf: id,
        direction: 'lower',
        formula: `√(Σ(x − mean)² / (n − 1)) over the n ${of}`,
        description: `Standard deviation of: ${metric.description}`,
      },
    },
  ];
}

/** Figures of the experiment `link`, in the order of its table. */
export const linkColumns: readonly LinkMetric[] = [
  step('protocol', 'Protocol', '', 'TCP, UDP or ping.', 'words'),
  step(
    'direction',
    'Direction',
    '',
    'Send: from this machine to the other host; receive: the other way.',
    'words',
  ),
  step('streams', 'Parallel', '', 'Streams that iperf3 sent side by side.'),
  {
    ...step(
      'ndiStreams',
      'NDI streams',
      '',
      'NDI streams whose rate the row is held at; absent where the link is filled.',
    ),
    role: 'kind',
  },
  step('datagramBytes', 'Datagram', 'B', 'Payload of each UDP datagram.'),
  step('repeatSeconds', 'Repeat', 's', 'Length of each repeat.'),
  {
    role: 'measure',
    metric: {
      ...{ id: 'link.targetMbps', heading: 'Target', unit: 'Mb/s', digits: 1, direction: 'none' },
      formula:
        'line rate · datagram / (datagram + headers of its packets), or what TCP reached; of a row at the rate of streams, their number · bitrate of one',
      description: 'Rate of payload that the sender was set to keep, all streams together.',
      source: 'interface towards the host, parameters, or TCP',
    },
  },
  ...repeated({
    ...{ id: 'throughputMbps', heading: 'Throughput', unit: 'Mb/s', digits: 2, direction: 'higher' },
    formula: '8 · payload that was received / time / 10⁶',
    description: 'Payload that arrived, as the receiver counts it, all streams together.',
    source: iperf,
  }),
  {
    role: 'measure',
    metric: {
      ...{ id: 'link.lineRatePercent', heading: 'Of line rate', unit: '%', digits: 1, direction: 'higher' },
      formula: '100 · throughput / speed of the link',
      description: 'Throughput as a share of the link’s speed; headers take some per cent of any link.',
      source: `${iperf}, interface towards the host or parameters`,
    },
  },
  ...repeated({
    ...{ id: 'dataMb', heading: 'Data', unit: 'MB', digits: 1, direction: 'higher' },
    ...inRepeat,
    formula: 'payload that was received / 10⁶',
    description: 'Payload transferred in one repeat.',
    source: iperf,
  }),
  ...repeated({
    ...{ id: 'localCpuPercent', heading: 'iperf3 CPU here', unit: '%', digits: 1, direction: 'lower' },
    formula: 'CPU time of iperf3 on this machine / time',
    description: 'CPU time of iperf3 at this end, in per cent of one core.',
    source: iperf,
  }),
  ...repeated({
    ...{ id: 'remoteCpuPercent', heading: 'iperf3 CPU there', unit: '%', digits: 1, direction: 'lower' },
    formula: 'CPU time of iperf3 on the other host / time',
    description: 'CPU time of iperf3 at the other end, in per cent of one of its cores.',
    source: iperf,
  }),
  ...repeated({
    ...{ id: 'machineCpuPercent', heading: 'CPU here', unit: '%', digits: 1, direction: 'lower' },
    formula: 'mean of the load samples within it',
    description: 'Processor load of this whole machine, in per cent of all its cores.',
    source: 'load samples',
  }),
  ...repeated({
    ...{ id: 'retransmits', heading: 'Retransmits', unit: '', digits: 1, direction: 'lower' },
    ...inRepeat,
    formula: 'TCP segments sent again',
    description: 'TCP segments that the sender sent again in one repeat.',
    source: iperf,
  }),
  ...repeated({
    ...{ id: 'jitterMs', heading: 'Jitter', unit: 'ms', digits: 3, direction: 'lower' },
    formula: 'smoothed difference of transit times (RFC 1889) at its end',
    description: 'How irregularly UDP datagrams came.',
    source: iperf,
  }),
  ...repeated({
    ...{ id: 'lossPercent', heading: 'Loss', unit: '%', digits: 3, direction: 'lower' },
    formula: '100 · lost / sent',
    description: 'UDP datagrams, or replies to pings, that never arrived.',
    source: `${iperf}, ping`,
  }),
  ...repeated({
    ...{ id: 'outOfOrder', heading: 'Out of order', unit: '', digits: 1, direction: 'lower' },
    ...inRepeat,
    formula: 'UDP datagrams that arrived after a later one',
    description: 'UDP datagrams that were overtaken on their way, in one repeat.',
    source: iperf,
  }),
  ...repeated({
    ...{ id: 'lateIntervals', heading: 'Late intervals', unit: '', digits: 1, direction: 'lower' },
    ...inRepeat,
    formula: 'intervals of 1 s in which this end sent or received less than 95 % of the target',
    description:
      'Seconds in which a row at the rate of NDI streams fell behind, as iperf3 on this machine counts them.',
    source: iperf,
  }),
  ...repeated(
    {
      ...{ id: 'rttMs', heading: 'RTT', unit: 'ms', digits: 3, direction: 'lower' },
      formula: 'time from an echo request to its answer',
      description: 'Round trip of ping over the idle link.',
      source: 'ping',
    },
    'echoes',
  ),
  ...repeated({
    ...{ id: 'loadedRttMs', heading: 'RTT under load', unit: 'ms', digits: 3, direction: 'lower' },
    formula: 'mean of the round trips that TCP itself saw',
    description: 'Round trip while TCP fills the link: how long its queues are.',
    source: iperf,
  }),
];

export const linkMetrics: readonly Metric[] = linkColumns.map(({ metric }) => metric);
