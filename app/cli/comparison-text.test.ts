import { expect, test } from 'vitest';
import { letter } from '../engine/history/regressions';
import type { ComparedFigure, ComparedValue, Comparison } from '../protocol/history';
import { comparisonText } from './comparison-text';

function value(of: Partial<ComparedValue>): ComparedValue {
  return {
    ...{ value: null, repeats: 1, perSecond: null, changePercent: null, noise: null, standing: 'same' },
    ...of,
  };
}

const figure = (metric: string, ...runs: Partial<ComparedValue>[]): ComparedFigure => ({
  metric,
  runs: runs.map(value),
});

const run = { id: 'r', title: 'r', startedAt: '2026-11-20T10:00:00.000Z', state: 'finished' as const };

/** Of two runs, with these figures in a step that both have. */
function compared(figures: ComparedFigure[], over: Partial<Comparison> = {}): Comparison {
  return {
    ...{ experiment: 'stream-load', tolerancePercent: 10, title: 'Stream load, 2 runs' },
    runs: [
      { ...run, verdict: 'PASS', reason: 'no frame lost' },
      { ...run, verdict: 'FAIL', reason: '3 frames lost' },
    ],
    steps: [
      { step: {}, label: 'Streams 1', verdicts: ['PASS', 'FAIL'], standings: ['same', 'worse'], figures },
    ],
    ...{ differences: [], notRecorded: [], uncovered: [], ...over },
  };
}

const linesOf = (comparison: Comparison): string[] => comparisonText(comparison, ['/runs/a', '/runs/b']);

test('a comparison of two runs, from its head to its sum', () => {
  const figures = [
    figure('framesDropped', { value: 0 }, { value: 3, standing: 'worse' }),
    figure(
      'latencyMs.p99',
      { value: 15.1, noise: 0.4 },
      { value: 12.9, noise: 0.4, changePercent: -14.57, standing: 'better' },
    ),
    figure('framesCaptured', { value: 600 }, { value: 600 }),
    figure('framesTorn', {}, { standing: 'unmeasured' }),
  ];
  const differences: Comparison['differences'] = [
    { of: 'parameters', path: 'holdSeconds', name: 'Measured time per row (s)', values: ['10', '20'] },
    { of: 'environment', path: 'ndi', name: 'NDI', values: ['6.1', ''] },
  ];
  const uncovered = [{ runs: [1], labels: ['Streams 2', 'Streams 3'] }];
  const notRecorded = ['Received formats', 'Switch, as noted'].map((name) => ({ name, runs: [1] }));
  expect(linesOf(compared(figures, { differences, notRecorded, uncovered }))).toEqual([
    'Stream load, 2 runs',
    '  A  2026-11-20T10:00:00.000Z  PASS  /runs/a',
    '     no frame lost',
    '  B  2026-11-20T10:00:00.000Z  FAIL  /runs/b',
    '     3 frames lost',
    '',
    'Different settings:',
    '  Measured time per row (s): A 10, B 20',
    '  NDI: A 6.1, B not recorded',
    '  Not recorded in B: Received formats; Switch, as noted',
    '',
    'Not compared, because not every run has these steps:',
    '  only in B: Streams 2; Streams 3',
    '',
    'Streams 1: A PASS, B FAIL ▼ worse',
    `  ${'Dropped'.padEnd(32)} ${'0'.padStart(12)}  ${'3'.padStart(12)} ▼ worse`,
    `  ${'Latency p99 (ms)'.padEnd(32)} ${'15.10 ±0.40'.padStart(12)}  ${'12.90 ±0.40'.padStart(12)} -14.6 % ▲ better`,
    '  1 figure the same in all runs',
    '',
    'B against A: 1 figure better, 1 worse.',
  ]);
});

test('what is apart and not judged is counted, and that no noise is known is said', () => {
  const lines = linesOf(
    compared([
      figure('latencyMs.p99', { value: 10 }, { value: 12, changePercent: 20, standing: 'unjudged' }),
    ]),
  );
  expect(lines).toContain('No different settings.');
  expect(lines).toContain('No step was repeated, so noise is unknown: no figure is judged by it.');
  expect(lines.at(-1)).toBe(
    'B against A: 0 figures better, 0 worse, 1 differ by more than the tolerance (noise unknown).',
  );
  expect(lines.find((line) => line.includes('p99'))).toMatch(/ 12\.00 \+20\.0 % ≠ noise unknown$/);
});

test('of a run without a valid row the figures of the other are counted, and none has a line', () => {
  const comparison = compared([figure('framesDropped', { value: 0 }, { standing: 'unknown' })]);
  const [step] = comparison.steps;
  const lines = linesOf({ ...comparison, steps: step ? [{ ...step, verdicts: ['PASS', 'INVALID'] }] : [] });
  expect(lines).toContain('  1 figure not compared: no valid row in another run');
  expect(lines.some((line) => line.includes('Dropped'))).toBe(false);
  expect(lines.at(-1)).toBe('B against A: nothing could be compared.');
});

test('a count is given with its rate, and its noise as one', () => {
  const lines = linesOf(
    compared([
      figure(
        'framesDropped',
        { value: 60, perSecond: 2, noise: 0.5 },
        { value: 240, perSecond: 8, noise: 0.5, changePercent: 300, standing: 'worse' },
      ),
    ]),
  );
  expect(lines.find((line) => line.includes('Dropped'))).toMatch(
    / 60 \(2\.\d+\/s\) ±0\.5\d*\/s {2}240 \(8\.\d+\/s\) ±0\.5\d*\/s \+300\.0 % ▼ worse$/,
  );
});

test('runs are named A to Z, then by number', () => {
  expect([0, 25, 26].map(letter)).toEqual(['A', 'Z', '#27']);
});

test('figures that have no room in 100 columns have a line for each run', () => {
  const bare = { title: '', differences: [], notRecorded: [], uncovered: [], tolerancePercent: 10 };
  const runs = Array.from({ length: 4 }, () => ({ ...run, verdict: 'PASS' as const, reason: '' }));
  const values = [1, 2, 3, 4].map((value, index) => ({
    ...{ value, changePercent: index === 0 ? null : 10 * value },
    standing: index === 0 ? ('same' as const) : ('unjudged' as const),
  }));
  const steps = [
    {
      ...{ step: {}, label: 'Streams 1', verdicts: runs.map(() => 'PASS' as const) },
      ...{ standings: runs.map(() => 'same' as const), figures: [figure('framesDropped', ...values)] },
    },
  ];
  const lines = comparisonText({ experiment: 'stream-load', ...bare, runs, steps }, ['a', 'b', 'c', 'd']);
  const first = lines.findIndex((line) => line.startsWith('  Dropped'));
  expect(lines.slice(first, first + 4).map((line) => line.trimEnd())).toEqual([
    '  Dropped                          A            1',
    '                                   B            2 +20.0 % ≠ noise unknown',
    '                                   C            3 +30.0 % ≠ noise unknown',
    '                                   D            4 +40.0 % ≠ noise unknown',
  ]);
});
