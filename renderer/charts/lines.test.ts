import { expect, test } from 'vitest';
import { madeUpPacingRows } from '../../app/experiments/pacing/pacing-rows.fixture';
import { metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { linesOfSeries, linesOverStep } from './lines';

const over = 'pacing.streamsBeside';
const iqr = metricOf('pacing.interval.iqrNs');

function row(index: number, step: Row['step'], iqrNs: number | null): Row {
  const [made] = madeUpPacingRows();
  if (!made) throw new Error('There is a row');
  return { ...made, index, step, figures: { 'pacing.interval.iqrNs': iqrNs } };
}

test('a line for each combination of the other steps, by what distinguishes them', () => {
  const rows = [0, 2, 1].flatMap((streams, index) => [
    row(3 * index, { 'pacing.method': 'timer', 'pacing.packetsPerWakeUp': 1, [over]: streams }, 10 * streams),
    row(3 * index + 1, { 'pacing.method': 'timer', 'pacing.packetsPerWakeUp': 8, [over]: streams }, 7),
    row(3 * index + 2, { 'pacing.method': 'spin', 'pacing.packetsPerWakeUp': 1, [over]: streams }, null),
  ]);
  expect(linesOverStep(rows, iqr, over)).toEqual([
    {
      ...{ name: 'Packets per wake-up 1', row: 0 },
      points: [
        [0, 0],
        [1, 10],
        [2, 20],
      ],
    },
    {
      ...{ name: 'Packets per wake-up 8', row: 1 },
      points: [
        [0, 7],
        [1, 7],
        [2, 7],
      ],
    },
  ]);
});

test('repeats have lines of their own', () => {
  const rows = [0, 1, 0, 1].map((streams, index) => row(index, { [over]: streams }, 100 + index));
  expect(linesOverStep(rows, iqr, over)).toEqual([
    {
      ...{ name: '', row: 0 },
      points: [
        [0, 100],
        [1, 101],
      ],
    },
    {
      ...{ name: ' (2)', row: 2 },
      points: [
        [0, 102],
        [1, 103],
      ],
    },
  ]);
});

test('a step that was not varied has no chart', () => {
  expect(linesOverStep([row(0, { [over]: 1 }, 5), row(1, {}, 6)], iqr, over)).toEqual([]);
});

test('rows with a series are lines', () => {
  const lines = linesOfSeries(madeUpPacingRows(), metricOf('pacing.interval.longestUs'));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines[0]?.points).toHaveLength(3);
});
