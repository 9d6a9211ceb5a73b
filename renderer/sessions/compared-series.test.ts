import { describe, expect, test } from 'vitest';
import type { ComparedFigure, ComparedStep, Comparison, Standing } from '../../app/protocol/history';
import {
  comparedLoadOf,
  comparedSeriesOf,
  countStandings,
  isChange,
  isLadder,
  stepNames,
  valueAt,
} from './compared-series';

function figure(
  metric: string,
  values: ComparedFigure['runs'][number]['value'][],
  standing: Standing = 'same',
): ComparedFigure {
  return {
    metric,
    runs: values.map((value) => ({
      ...{ value, perSecond: null, repeats: 1, noise: null, changePercent: null, standing },
    })),
  };
}

function step(
  set: ComparedStep['step'],
  figures: ComparedFigure[] = [],
  standing: Standing = 'same',
): ComparedStep {
  const verdicts: ComparedStep['verdicts'] = ['WARN', standing === 'better' ? 'PASS' : 'WARN'];
  return { step: set, label: JSON.stringify(set), verdicts, standings: ['same', standing], figures };
}

const run = { id: '', title: '', startedAt: '', state: 'finished' as const, verdict: null, reason: '' };

function comparison(steps: ComparedStep[], experiment = 'stream-load'): Comparison {
  const runs = [run, run];
  return {
    experiment,
    tolerancePercent: 10,
    title: '',
    runs,
    differences: [],
    notRecorded: [],
    steps,
    uncovered: [],
  };
}

const cpu = 'sender.cpuMaxPercent';

describe('series over the steps', () => {
  test('hold a value for each run and step, and null where a run has none', () => {
    const steps = [
      step({ streams: 0 }, [figure(cpu, [8, 7])]),
      step({ streams: 1 }, [figure(cpu, [19, null])]),
      step({ streams: 2 }),
    ];
    const series = comparedSeriesOf(comparison(steps));
    expect(series.map(({ metric, values }) => [metric.id, values])).toEqual([
      [
        cpu,
        [
          [8, 19, null],
          [7, null, null],
        ],
      ],
    ]);
  });

  test('are of measures that two runs have, whatever a third one has; a live run has those of a ramp', () => {
    const oneSided = [step({ streams: 1 }, [figure(cpu, [8, null]), figure('framesDropped', [1, 2])])];
    expect(comparedSeriesOf(comparison(oneSided))).toEqual([]);
    const ofThree = comparison([step({ streams: 1 }, [figure(cpu, [8, null, 9])])]);
    expect(comparedSeriesOf({ ...ofThree, runs: [run, run, run] })[0]?.values).toEqual([[8], [null], [9]]);
    expect(comparedSeriesOf(comparison([step({ streams: 1 }, [figure(cpu, [8, 9])])], 'live'))).toHaveLength(
      1,
    );
  });
});

test('steps of one growing number are a ladder, other things are numbered', () => {
  const ladder = [step({ streams: 1 }), step({ streams: 4 })];
  const things = [step({ 'link.protocol': 'TCP' }), step({ 'link.protocol': 'UDP' })];
  expect([isLadder(ladder), isLadder(things), isLadder([step({ streams: 1 })])]).toEqual([
    true,
    false,
    false,
  ]);
  expect([stepNames(ladder), stepNames(things)]).toEqual([
    ['1', '4'],
    ['1', '2'],
  ]);
});

test('what is the same, or within noise or tolerance, is no change', () => {
  const unchanged: Standing[] = ['same', 'unmeasured', 'noise', 'tolerance'];
  const changed: Standing[] = ['better', 'worse', 'different', 'unjudged', 'unknown'];
  const figures = [...unchanged, ...changed].map((standing) => figure(cpu, [1, 2], standing));
  expect(figures.map(isChange)).toEqual([...unchanged.map(() => false), ...changed.map(() => true)]);
  expect(countStandings(comparison([step({ streams: 1 }, figures)]), 1)).toEqual({
    worse: 1,
    better: 1,
    different: 2,
    same: 3,
  });
});

test('of a baseline without streams alone nothing is counted', () => {
  const baseline = step({ streams: 0 }, [figure(cpu, [8, 8])]);
  const invalid: ComparedStep = { ...step({ streams: 1 }), verdicts: ['INVALID', 'PASS'] };
  expect(countStandings(comparison([baseline, invalid]), 1)).toBeNull();
  expect(countStandings(comparison([baseline, step({ streams: 1 })]), 1)).toMatchObject({ same: 1 });
});

test('a verdict that changed is counted, one that did not is not', () => {
  const words = (standing: Standing) => [figure('preflight.found', ['1500', '9000'], standing)];
  const steps = [
    step({ check: 'mtu' }, words('different'), 'better'),
    step({ check: 'duplex' }, words('same')),
  ];
  expect(countStandings(comparison(steps, 'preflight'), 1)).toEqual({
    worse: 0,
    better: 1,
    different: 1,
    same: 1,
  });
});

test('load is drawn since each run began, and only what one of them measured', () => {
  const nothing = [null, null];
  const load = (startMs: number, values: (number | null)[]) => ({
    wallMs: [startMs, startMs + 500],
    columns: [values, nothing, nothing, nothing, nothing, nothing, nothing, nothing],
    notMeasured: {},
    samplesPerPoint: 1,
  });
  expect(comparedLoadOf([load(1000, [5, null]), load(90_000, [7, 8])])).toEqual([
    {
      figure: 'cpuMachine',
      runs: [
        { seconds: [0, 0.5], values: [5, null] },
        { seconds: [0, 0.5], values: [7, 8] },
      ],
    },
  ]);
});

test('a line of a compared run has a gap where its engine was gone', () => {
  const load = {
    ...{ wallMs: [1000, 1500, 30_000], columns: [[1, 2, 3]], notMeasured: {} },
    samplesPerPoint: 1,
  };
  expect(comparedLoadOf([load])[0]?.runs[0]).toEqual({
    seconds: [0, 0.5, 1, 28.5, 29],
    values: [1, 2, null, null, 3],
  });
});

test('the value of a run at a moment is its newest sample, and none once it is over', () => {
  const values = [5, undefined, 7, null, undefined, 8, undefined, undefined];
  expect(values.map((_, index) => valueAt(values, index))).toEqual([5, 5, 7, null, null, 8, null, null]);
});
