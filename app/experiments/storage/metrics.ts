import { count, type Metric } from '../../facts/metrics/metric';

const fio = 'fio';

/** Figures of the experiment `storage`. */
export const storageMetrics: readonly Metric[] = [
  {
    ...{ id: 'storage.folder', heading: 'Folder', unit: '', digits: 0, direction: 'none' },
    shape: 'words',
    formula: 'as set for the row',
    description: 'Folder in which the test file lay.',
    source: 'parameters',
  },
  {
    ...{ id: 'storage.operation', heading: 'Operation', unit: '', digits: 0, direction: 'none' },
    shape: 'words',
    formula: 'as set for the row',
    description: 'Read or write.',
    source: 'parameters',
  },
  {
    ...{ id: 'storage.test', heading: 'Test', unit: '', digits: 0, direction: 'none' },
    shape: 'words',
    formula: 'as set for the row',
    description:
      'SEQ1M: blocks of 1 MiB in sequence; RND4K: blocks of 4 KiB at random places; Q: requests in flight in each of T threads.',
    source: 'parameters',
  },
  {
    ...{ id: 'storage.bestMBps', heading: 'Best', unit: 'MB/s', digits: 2, direction: 'higher' },
    formula: 'max over the passes of (bytes / time / 10⁶)',
    description: 'Rate of the best pass, which is what CrystalDiskMark shows.',
    source: fio,
  },
  {
    ...{ id: 'storage.medianMBps', heading: 'Median', unit: 'MB/s', digits: 2, direction: 'higher' },
    formula: 'median over the passes of (bytes / time / 10⁶)',
    description: 'Rate of the median pass: the one to plan with.',
    source: fio,
  },
  {
    ...{ id: 'storage.spreadMBps', heading: 'Median ±', unit: 'MB/s', digits: 2, direction: 'lower' },
    spreadOf: 'storage.medianMBps',
    formula: '√(Σ(x − mean)² / (n − 1)) over the n passes',
    description: 'Standard deviation of the rate from pass to pass.',
    source: fio,
  },
  {
    ...{ id: 'storage.medianIops', heading: 'Requests', unit: '1/s', digits: 0, direction: 'higher' },
    formula: 'median over the passes of (requests / time)',
    description: 'Requests answered in a second.',
    source: fio,
  },
  {
    ...{ id: 'storage.latencyP99Ms', heading: 'Request p99', unit: 'ms', digits: 3, direction: 'lower' },
    formula:
      'median over the passes of the 99th percentile of the time from handing a request over to its end',
    description: '99 in 100 requests took less.',
    source: fio,
  },
  {
    ...{ id: 'storage.cpuPercent', heading: 'CPU', unit: '%', digits: 1, direction: 'lower' },
    formula: 'mean of the load samples within the row',
    description: 'Processor load of this whole machine, in per cent of all its cores.',
    source: 'load samples',
  },
  {
    ...{ id: 'storage.lineRatePercent', heading: 'Of line rate', unit: '%', digits: 1, direction: 'higher' },
    formula: '100 · 8 · median / speed of the link',
    description: 'Of a share: the median as a share of the speed of the link to its server.',
    source: `${fio}, interface towards the server or parameters`,
  },
  {
    id: 'storage.differencePercent',
    ...{ heading: 'Symmetric difference', unit: '%', digits: 2, direction: 'none', signed: true },
    formula: '100 · (this − first) / mean(this, first), of the best passes',
    description:
      'Difference to the first folder in the same test, in per cent of the mean of both, as the NDI study of 2019 has it: positive where this folder is faster.',
    source: fio,
  },
  count(
    'storage.hapQStreams',
    'Hap Q streams',
    'higher',
    '⌊8 · median / bitrate of one movie⌋',
    'How many Hap Q movies of the set size the sequential read rate is enough for.',
    fio,
  ),
];
