import { type LoadHistory, loadColumns } from '../engine/load-history';
import { texts } from '../texts';

export interface SeriesSpec {
  /** Column of the ring. */
  column: number;
  label: string;
  /** Custom property of the theme. */
  colour: '--series-first' | '--series-second' | '--series-machine' | '--series-loss';
  /** Lines differ in their stroke too, not in colour alone. */
  dash?: number[];
}

export interface ChartSpec {
  id: 'cpu' | 'gpu' | 'network' | 'latency' | 'lost';
  title: string;
  unit: string;
  digits: number;
  ring: 'load' | 'loss';
  series: SeriesSpec[];
  /** The axis reaches at least this far; one of per cent ends there. */
  top: number;
  /** What 1 of the ring is in the unit; default: 1. */
  scale?: number;
  /** Field of a load sample whose reason explains an empty chart. */
  reasonField: string;
  /** A machine may have nothing to draw here, ever: the reason then stands in one line below the charts. */
  isOptional?: boolean;
}

const { charts } = texts;

export const chartSpecs: readonly ChartSpec[] = [
  {
    id: 'cpu',
    title: charts.cpu,
    unit: charts.percent,
    digits: 1,
    ring: 'load',
    series: [
      { column: loadColumns.cpuSending, label: charts.sending, colour: '--series-first' },
      { column: loadColumns.cpuReceiving, label: charts.receiving, colour: '--series-second', dash: [6, 3] },
      { column: loadColumns.cpuMachine, label: charts.machine, colour: '--series-machine', dash: [2, 2] },
    ],
    top: 100,
    reasonField: 'cpuPercent',
  },
  {
    id: 'network',
    title: charts.network,
    unit: charts.mbps,
    digits: 1,
    ring: 'load',
    series: [
      { column: loadColumns.loopback, label: charts.loopback, colour: '--series-machine', dash: [2, 2] },
      { column: loadColumns.wireOut, label: charts.wireOut, colour: '--series-first' },
      { column: loadColumns.wireIn, label: charts.wireIn, colour: '--series-second', dash: [6, 3] },
    ],
    top: 10,
    reasonField: 'loopbackMbps',
  },
  {
    id: 'gpu',
    title: charts.gpu,
    unit: charts.percent,
    digits: 1,
    ring: 'load',
    series: [{ column: loadColumns.gpu, label: charts.machine, colour: '--series-machine', dash: [2, 2] }],
    top: 100,
    reasonField: 'gpuPercent',
    isOptional: true,
  },
  {
    id: 'latency',
    title: charts.latency,
    unit: charts.milliseconds,
    digits: 1,
    ring: 'load',
    series: [
      { column: loadColumns.latencyP50, label: charts.p50, colour: '--series-first' },
      { column: loadColumns.latencyP99, label: charts.p99, colour: '--series-second', dash: [6, 3] },
    ],
    top: 5,
    reasonField: 'latencyP50Ms',
  },
  {
    id: 'lost',
    title: charts.lost,
    unit: charts.perSecond,
    digits: 0,
    ring: 'loss',
    series: [{ column: 0, label: charts.allStreams, colour: '--series-loss' }],
    top: 5,
    reasonField: 'lostPerSecond',
  },
];

/** A GPU's tool may need some seconds for its first answer. */
const samplesUntilKnown = 10;

/** Those that have something to draw, or will have: one that a machine may never have begins with its first value. */
export function drawable(specs: readonly ChartSpec[], history: LoadHistory): readonly ChartSpec[] {
  return specs.filter(
    ({ isOptional, ring, series }) =>
      !isOptional || series.some(({ column }) => history[ring].hasMeasured(column)),
  );
}

/** Of the others those that this machine cannot measure: samples came, and none had a value. */
export function unmeasured(specs: readonly ChartSpec[], history: LoadHistory): readonly ChartSpec[] {
  const drawn = drawable(specs, history);
  return specs.filter(
    (spec) =>
      !drawn.includes(spec) &&
      history[spec.ring].length >= samplesUntilKnown &&
      spec.reasonField in history.notMeasured,
  );
}

const headRoom = 1.15;

/** The end of the axis when `max` is the largest value drawn; null: no value is drawn. */
export function topOf({ top, unit }: ChartSpec, max: number | null): number {
  return unit === charts.percent ? top : Math.max(top, (max ?? 0) * headRoom);
}

/** The same with the network in another unit: what 1 Mb/s is in it. */
export function chartSpecsIn(unit: string, scale: number): readonly ChartSpec[] {
  return chartSpecs.map((spec) => (spec.id === 'network' ? { ...spec, unit, scale } : spec));
}

const ofStreams: readonly ChartSpec['id'][] = ['latency', 'lost'];
const ofHosts: readonly number[] = [loadColumns.cpuSending, loadColumns.cpuReceiving];

/** Those of another machine of a run: frames and latency are counted by the console. */
export const machineSpecs: readonly ChartSpec[] = chartSpecs.filter(({ id }) => !ofStreams.includes(id));

/** Those of a run without streams: it has no frames to wait for or to lose, and no hosts that send or receive any. */
export const loadSpecs: readonly ChartSpec[] = chartSpecs
  .filter(({ id }) => !ofStreams.includes(id))
  .map((spec) => ({
    ...spec,
    series: spec.series.filter(({ column }) => !ofHosts.includes(column)),
  }));
