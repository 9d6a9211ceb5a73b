import { count, type Metric } from '../../facts/metrics/metric';

const costNames = {
  machineCpu: 'Machine CPU',
  senderCpu: 'Sender CPU',
  receiverCpu: 'Receiver CPU',
  network: 'Network',
} as const;
export type CostLoad = keyof typeof costNames;

/** How the two figures of a cost are made, in short. */
export const costMethods = { perStream: 'By all rows so far', added: 'By the newest streams' } as const;

/** What one stream more costs, in one kind of load: the metric of the fitted line and that of the plain difference. */
export const streamCosts = (['machineCpu', 'senderCpu', 'receiverCpu', 'network'] as const).map((load) => {
  const unit = load === 'network' ? 'Mbps' : 'Percent';
  return {
    load,
    name: costNames[load],
    perStream: `streamLoad.${load}PerStream${unit}`,
    added: `streamLoad.${load}Added${unit}`,
  };
});

/** The costs that those of the receiver and of the network are defined like. */
const senderCosts = {
  perStream: 'streamLoad.senderCpuPerStreamPercent',
  added: 'streamLoad.senderCpuAddedPercent',
};

export const repeatMetrics = {
  repeat: 'streamLoad.repeat',
  repeats: 'streamLoad.repeats',
  spread: 'streamLoad.cpuSpreadPercent',
} as const;

const loads: Record<CostLoad, { what: string; y: string; source: string; ofSeveral?: string }> = {
  machineCpu: {
    what: 'CPU of the machine that sends, everything that runs on it included',
    y: 'sender.cpuMeanPercent',
    source: '/proc/stat',
  },
  senderCpu: {
    what: 'CPU of our sending processes',
    y: 'sum of sender.cpuParts',
    source: '/proc/PID/task/TID/schedstat',
  },
  receiverCpu: {
    what: 'CPU of our receiving process',
    y: 'sum of receiver.cpuParts',
    source: '/proc/PID/task/TID/schedstat',
    ofSeveral:
      ' If several machines receive, it is computed for each from the streams that it receives, and the highest is shown.',
  },
  network: {
    what: 'network traffic of its own',
    y: 'bitrateMbps, in row 0 by definition 0',
    source: 'TCP_INFO of each socket of our stream processes, and nf_tables for their UDP ports',
  },
};

export const streamLoadMetrics: readonly Metric[] = [
  ...streamCosts.flatMap(({ load, name, perStream, added }): Metric[] => {
    const { what, y, source, ofSeveral = '' } = loads[load];
    const figure = {
      unit: load === 'network' ? 'Mb/s' : '%',
      digits: load === 'network' ? 1 : 2,
      direction: 'lower' as const,
      source,
    };
    const like = (id: string) =>
      load !== 'receiverCpu' && load !== 'network'
        ? {}
        : { definedAs: { id, but: `in ${what}: y = ${y} (${source}).${ofSeveral}` } };
    return [
      {
        ...{ ...figure, ...like(senderCosts.perStream) },
        id: perStream,
        heading: `${name} per stream`,
        formula: `slope of the least-squares line through (streams, ${y}): Σ(n−n̄)(y−ȳ) / Σ(n−n̄)²`,
        description: `What each stream costs in ${what}, by the clean rows so far, this one included; row 0 too where the streams share their sources.${ofSeveral}`,
      },
      {
        ...{ ...figure, ...like(senderCosts.added) },
        id: added,
        heading: `${name} added per stream`,
        formula: `(y − y′) / (n − n′) with y = ${y}, and y′, n′ of the clean row with the next lower number of streams`,
        description: `What each stream added last costs in ${what}: one difference, so it is noisier than the line.${ofSeveral}`,
      },
    ];
  }),
  count(
    repeatMetrics.repeat,
    'Repeat',
    'none',
    '1, 2, 3 … for each number of streams',
    'Which repeat of its number of streams the row is; not measured in the row that stands for all of them.',
    'the run',
  ),
  count(
    repeatMetrics.repeats,
    'Repeats',
    'none',
    'repeats that are not INVALID',
    'Repeats of which the row shows the median one: in order of lost frames, then of CPU; of two in the middle the worse.',
    'the run',
  ),
  {
    id: repeatMetrics.spread,
    heading: 'CPU spread',
    unit: '%',
    digits: 1,
    direction: 'lower',
    formula: '(max − min) / median of sender.cpuMeanPercent over these repeats',
    description: 'How far the CPU load of the machine differs from repeat to repeat.',
    source: '/proc/stat',
  },
];
