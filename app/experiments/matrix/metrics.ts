import type { Metric } from '../../facts/metrics/metric';

const machine = { unit: '', digits: 0, direction: 'none', shape: 'words' } as const;
const asSet = { formula: 'as set for the row', source: 'parameters' };

/** Figures of the experiment `matrix`. */
export const matrixMetrics: readonly Metric[] = [
  {
    ...{ id: 'matrix.from', heading: 'From', ...machine, ...asSet },
    description: 'Machine of the pair that sends.',
  },
  {
    ...{ id: 'matrix.to', heading: 'To', ...machine, ...asSet },
    description: 'Machine of the pair that receives.',
  },
  {
    ...{ id: 'matrix.linkMbps', heading: 'TCP', unit: 'Mb/s', digits: 1, direction: 'higher' },
    formula: '8 · payload that was received / time / 10⁶, over one second',
    description: 'What one TCP connection carried from the sender to the receiver, before the stream.',
    source: 'iperf3',
  },
  {
    ...{ id: 'matrix.rttMs', heading: 'RTT', unit: 'ms', digits: 3, direction: 'lower' },
    formula: 'mean time from an echo request to its answer',
    description: 'Round trip of ping from the sender to the receiver and back, before the stream.',
    source: 'ping',
  },
  {
    ...{ id: 'matrix.lostPercent', heading: 'Lost', unit: '%', digits: 2, direction: 'lower' },
    formula: '100 · (frames lost + frames that the sender missed) / frames scheduled',
    description: 'Share of the frames of the stream that did not arrive as they should have been sent.',
    source: 'records of sender and receiver',
  },
];
