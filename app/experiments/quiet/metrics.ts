import { count, extreme, extremeIfEnd, type Metric } from '../../facts/metrics/metric';

const wakeUps = 'a thread that sleeps to a schedule as that of a source does, monotonic clock';
const summed = { countedOver: 'measuredSeconds' };
const words = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;

function lateness(name: string, heading: string, formula: string, which: string): Metric {
  return {
    ...{ id: `quiet.wakeUpLatenessMs.${name}`, heading: `Wake-up ${heading}`, unit: 'ms', digits: 3 },
    ...{ direction: 'lower', formula, source: wakeUps },
    ...extremeIfEnd(name),
    description: `How long after a slot the thread woke, slots that it slept through included: ${which}.`,
  };
}

/** Figures of the experiment `quiet`. */
export const quietMetrics: readonly Metric[] = [
  {
    ...{ id: 'quiet.rateHz', heading: 'Rate', unit: 'Hz', digits: 0, direction: 'none' },
    formula: 'as set for the row',
    description: 'Slots in a second, to each of which the thread sleeps.',
    source: 'parameters',
  },
  lateness('p50', 'p50', '50th percentile of time of waking − slot’s time', 'half of the slots were below'),
  lateness(
    'p99',
    'p99',
    '99th percentile of time of waking − slot’s time',
    'one slot in a hundred was above',
  ),
  lateness(
    'p999',
    'p99.9',
    '99.9th percentile (of 1,000 values or more) of time of waking − slot’s time',
    'one slot in a thousand was above',
  ),
  lateness('max', 'max', 'max(time of waking − slot’s time)', 'the largest'),
  {
    ...{ id: 'quiet.wakeUpLatenessMs.histogram', heading: 'Wake-up lateness', unit: 'ms', digits: 0 },
    ...{ direction: 'none', shape: 'histogram' },
    formula: 'number of slots in each of 50 bins a decade, equally wide on a logarithmic axis, from 1 µs on',
    description: 'How often each lateness occurred.',
    source: wakeUps,
  },
  {
    ...{ id: 'quiet.worstLatenessMs', heading: 'Worst lateness', unit: 'ms', digits: 3, direction: 'lower' },
    ...{ shape: 'series', over: { heading: 'Time', unit: 's' } },
    formula: 'max(time of waking − slot’s time) over the slots of each 100 ms',
    description: 'When the thread woke late; 100 ms without a wake-up have no point.',
    source: wakeUps,
  },
  {
    ...count('quiet.wakeUps', 'Wake-ups', 'none', 'returns from sleep', 'Wake-ups of the thread.', wakeUps),
    ...summed,
  },
  {
    ...count(
      'quiet.wakeUpsLate',
      'Late',
      'lower',
      'wake-ups with time of waking − slot’s time > 1000 / 60 / 2 ms',
      'Wake-ups that came later than half a frame at 60 fps.',
      wakeUps,
    ),
    ...summed,
  },
  {
    ...count(
      'quiet.slotsOverslept',
      'Skipped',
      'lower',
      'slots − wake-ups',
      'Slots that passed while the thread was still asleep. A source would have skipped them.',
      wakeUps,
    ),
    ...summed,
  },
  {
    ...{ id: 'quiet.stolenMaxPercent', heading: 'Stolen max', unit: '%', digits: 1, direction: 'lower' },
    formula: 'max of 1 s means, all cores = 100 %',
    ...extreme,
    description: 'CPU that the hypervisor gave to other machines, in the worst second.',
    source: '/proc/stat',
  },
  {
    ...{ id: 'quiet.othersCpuPercent', heading: 'Other programs', unit: '%', digits: 1, direction: 'lower' },
    formula: 'CPU time of the machine − that of our processes, over the row; all cores = 100 %',
    description: 'CPU load of this machine without that of our processes.',
    source: '/proc/stat, /proc/PID/stat',
  },
  {
    ...{ id: 'quiet.busiestProgram', heading: 'Busiest program', ...words },
    formula: 'name of the processes, ours left out, that took most CPU time together',
    description: 'The busiest program that is not ours; empty if none was busy.',
    source: '/proc/PID/stat, once a second',
  },
  {
    ...{ id: 'quiet.programCpuPercent', heading: 'Program CPU', unit: '%', digits: 1, direction: 'lower' },
    formula:
      'CPU time of all processes of one name over the row, all cores = 100 %; of the row: that of the busiest',
    description:
      'CPU load of one other program. What a process used after it was last sampled, at most one second before its end, is not in it.',
    source: '/proc/PID/stat, once a second',
  },
  {
    ...{ id: 'quiet.interruptsPerSecond', heading: 'Interrupts', unit: '1/s', digits: 0, direction: 'lower' },
    formula: 'rise of intr over the row / time',
    description: 'Interrupts that this machine served, on all cores.',
    source: '/proc/stat',
  },
  {
    id: 'quiet.contextSwitchesPerSecond',
    ...{ heading: 'Context switches', unit: '1/s', digits: 0, direction: 'lower' },
    formula: 'rise of ctxt over the row / time',
    description: 'How often a core went from one thread to another, on all cores.',
    source: '/proc/stat',
  },
  {
    ...{ id: 'quiet.frequencyMhz', heading: 'Frequency', unit: 'MHz', digits: 0, direction: 'none' },
    formula: 'mean over the cores and over looks once a second',
    description: 'Frequency of the cores; a governor lets idle ones go slowly.',
    source: 'cpufreq/scaling_cur_freq',
  },
  {
    id: 'quiet.slowestFrequencyMhz',
    ...{ heading: 'Slowest frequency', unit: 'MHz', digits: 0, direction: 'none' },
    formula: 'min over the cores and over looks once a second',
    ...extreme,
    description: 'Lowest frequency of any core.',
    source: 'cpufreq/scaling_cur_freq',
  },
  {
    ...count(
      'quiet.throttles',
      'Throttled',
      'lower',
      'rise of core_throttle_count, all cores, and of package_throttle_count',
      'How often the processor slowed itself down for heat.',
      'thermal_throttle',
    ),
    ...summed,
  },
  {
    ...{ id: 'quiet.integerMsteps', heading: 'Integer score', unit: '10⁶/s', digits: 1, direction: 'higher' },
    formula: 'steps / shortest of 100 rounds of 2·10⁵ steps; of the row: that of the slowest core',
    description:
      'Integer work of one core: a step is a SplitMix64 hash and a read and a write in a table of 2 KiB, and waits for the one before.',
    source: 'a thread on that core alone, monotonic clock',
  },
  {
    ...{ id: 'quiet.memoryMBps', heading: 'Memory score', unit: 'MB/s', digits: 0, direction: 'higher' },
    formula: '8 MiB / shortest of 100 copies / 10⁶; of the row: that of the slowest core',
    description:
      'Memory work of one core: the C library copies 64 MiB in pieces of 8 MiB, and each byte counts once.',
    source: 'a thread on that core alone, monotonic clock',
  },
];

/** Figures of the wake-ups. */
export const wakeUpIds: readonly string[] = quietMetrics
  .filter(({ source }) => source === wakeUps)
  .map(({ id }) => id);
