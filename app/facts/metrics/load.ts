import { count, extreme, type Metric } from './metric';

/** Load of one side's machine and process. */
export function hostLoadMetrics(side: 'sender' | 'receiver', name: string): Metric[] {
  const ofSeveral = side === 'receiver' ? ' If several machines receive, the highest of their figures.' : '';
  return loadMetrics(side).map(({ isOfAll = false, ...metric }) => ({
    ...metric,
    description: `${metric.description}${ofSeveral}`,
    ...(side === 'receiver' && {
      definedAs: { id: metric.id.replace(/^receiver/, 'sender'), but: `of the receiver.${ofSeveral}` },
    }),
    heading: `${name} ${metric.heading}${isOfAll ? ', all programs' : ''}`,
    headingInGroup: metric.heading.charAt(0).toUpperCase() + metric.heading.slice(1),
    group: isOfAll ? `${side}All` : side,
  }));
}

/** Of the whole machine: other programs and ours. */
interface LoadMetric extends Metric {
  isOfAll?: true;
}

/** Under headings that leave out whose load it is. */
function loadMetrics(side: 'sender' | 'receiver'): LoadMetric[] {
  const verb = side === 'sender' ? 'sending' : 'receiving';
  const percent = { unit: '%', digits: 1, direction: 'lower' as const };
  return [
    {
      id: `${side}.cpuMaxPercent`,
      heading: 'CPU max',
      isOfAll: true,
      ...percent,
      formula: 'max of 1 s means, all cores = 100 %',
      ...extreme,
      description: `Highest CPU load of the ${side}’s machine in the row, by all programs: CPU as the NDI study of 2019 gave it. ${side}.cpuProcessMaxPercent has our process alone.`,
      source: '/proc/stat',
    },
    {
      id: `${side}.cpuMeanPercent`,
      heading: 'CPU mean',
      isOfAll: true,
      ...percent,
      formula: 'mean of 1 s means',
      description: `Mean CPU load of the ${side}’s machine in the row.`,
      source: '/proc/stat',
    },
    {
      id: `${side}.cpuP95Percent`,
      heading: 'CPU p95',
      isOfAll: true,
      ...percent,
      formula: '95th percentile of 1 s means',
      description: `CPU load of the ${side}’s machine that was exceeded for 5 % of the row.`,
      source: '/proc/stat',
    },
    {
      id: `${side}.othersCpuMeanPercent`,
      heading: 'CPU of others',
      ...percent,
      formula: 'mean of 1 s means: CPU time of the machine − that of our processes, all cores = 100 %',
      description: `CPU load of the ${side}’s machine from other programs and the kernel, without our processes.`,
      source: '/proc/stat, /proc/PID/stat',
    },
    {
      id: `${side}.cpuProcessMaxPercent`,
      heading: 'process CPU',
      ...percent,
      formula: 'max of 1 s means of the process’s CPU time, all cores = 100 %',
      ...extreme,
      description: `Highest CPU load of our ${verb} process, the transport’s threads included.`,
      source: '/proc/PID/stat',
    },
    ...(
      [
        ['read', 'read', 'reading movies'],
        ['decode', 'decode', 'decoding movies'],
        ['ffmpeg', 'ffmpeg', 'the ffmpeg that plays a movie'],
        ['compose', 'compose', 'pacing, and drawing line and code'],
        ['send', 'submit', 'handing frames to the transport'],
        ['receive', 'capture', 'taking frames from the transport and reading their code'],
        ['sdk', 'transport', 'the transport’s own threads: compression, network'],
        [
          'other',
          'other',
          'all else: JavaScript, previews and copies for those who watch, checks, threads that ended',
        ],
      ] as const
    ).map(([part, word, what]) => ({
      id: `${side}.cpuParts.${part}`,
      heading: `CPU ${word}`,
      ...percent,
      formula: 'mean of 1 s means of the threads’ CPU time, all cores = 100 %',
      description: `CPU load of our ${verb} process that went into ${what}.`,
      source: '/proc/PID/task/TID/schedstat',
    })),
    {
      id: `${side}.gpuMaxPercent`,
      heading: 'GPU max',
      isOfAll: true,
      ...percent,
      formula: 'max of the driver’s utilisation',
      ...extreme,
      description: `Highest GPU load of the ${side}’s machine by all programs: its busiest GPU. ${side}.gpuProcessMaxPercent has our process alone.`,
      source: 'nvidia-smi; of Intel and AMD the sum over all clients in /proc/PID/fdinfo',
    },
    {
      id: `${side}.gpuProcessMaxPercent`,
      heading: 'process GPU',
      ...percent,
      formula: 'max of 1 s means of the busiest engine: time that it worked for the process',
      ...extreme,
      description: `Highest GPU load of our ${verb} process. Not measured of NVIDIA’s GPUs.`,
      source: '/proc/PID/fdinfo (drm-engine, drm-cycles)',
    },
    {
      id: `${side}.networkMaxMbps`,
      heading: 'network max',
      isOfAll: true,
      unit: 'Mb/s',
      digits: 1,
      direction: 'none',
      formula: 'max of 1 s means, on the interface that carries the streams',
      ...extreme,
      description: `Highest traffic on the ${side}’s interface, other programs included; loopback when both ends are on one machine. In a row without streams: the traffic before the first one. bitrateMbps has the streams alone.`,
      source: '/proc/net/dev',
    },
    count(
      `${side}.wireErrors`,
      'network errors',
      'lower',
      'rise of the counters, both directions',
      `Packets that came damaged or could not be sent, on all interfaces that lead out of the ${side}’s machine.`,
      '/proc/net/dev',
    ),
    count(
      `${side}.wireDropped`,
      'network drops',
      'lower',
      'rise of the counters, both directions',
      `Packets dropped on all interfaces that lead out of the ${side}’s machine.`,
      '/proc/net/dev',
    ),
    count(
      `${side}.tcpRetransmits`,
      'TCP retransmits',
      'lower',
      'rise of RetransSegs',
      `TCP segments that the ${side}’s machine retransmitted, for any program.`,
      '/proc/net/snmp',
    ),
    {
      id: `${side}.memoryMaxMb`,
      heading: 'memory',
      unit: 'MB',
      digits: 0,
      direction: 'lower',
      formula: 'max of resident memory',
      ...extreme,
      description: `Memory of our ${verb} process.`,
      source: '/proc/PID/statm',
    },
  ];
}

export const instrumentMetrics: Metric[] = (['engine', 'window'] as const).map((part) => ({
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
