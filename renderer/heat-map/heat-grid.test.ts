import { expect, test } from 'vitest';
import { matrixHeatMap } from '../../app/experiments/matrix/declaration';
import { type Pair, pairsOf } from '../../app/experiments/matrix/pair-row';
import type { ClosedRow } from '../../app/facts/row';
import { type MeasuredPair, matrixRow } from '../../app/testing/matrix-row';
import { heatGrid, levelOf, shareText } from './heat-grid';

const pairs = pairsOf(['render-1', 'display-1', undefined]);
const row = (index: number, ...measured: MeasuredPair): ClosedRow =>
  matrixRow(pairs[index] as Pair, index, ...measured);

const rows = [row(0, 'PASS', 0), row(1, 'WARN', 0.5), row(2, 'INVALID', null), row(3, 'FAIL', 12.34, 7.25)];

test('a row for each machine that sends, in the order of their names, and a cell for each pair', () => {
  const { names, lines } = heatGrid(rows, matrixHeatMap);
  expect(names).toEqual(['render-1', 'display-1', 'this machine']);
  expect(
    lines.map(({ from, cells }) => [from, cells.map((cell) => cell && [cell.verdict, cell.share])]),
  ).toEqual([
    ['render-1', [null, ['PASS', '0'], ['WARN', '0.5']]],
    ['display-1', [['INVALID', '—'], null, ['FAIL', '12']]],
    ['this machine', [[null, ''], [null, ''], null]],
  ]);
});

test('a cell says in words what its colour says, and the worst pair comes first', () => {
  const { lines, worst } = heatGrid(rows, matrixHeatMap);
  expect(worst?.words).toBe('display-1 → this machine: FAIL; Lost 12.34 %, Bitrate 7.3 Mb/s; no frame lost');
  expect(lines[1]?.cells[0]?.words).toBe(
    'display-1 → render-1: INVALID; not measured: its agent is not connected',
  );
  expect(lines[2]?.cells[0]?.words).toBe('this machine → render-1: not measured yet');
});

test.each([
  [null, '—', 0],
  [0, '0', 0],
  [0.004, '<0.1', 1],
  [0.5, '0.5', 1],
  [9.94, '9.9', 2],
  [9.96, '10', 2],
  [49.9, '50', 3],
  [50, '50', 4],
  [99.7, '>99', 4],
  [100, '100', 4],
])('%s %% lost is shown as %s at depth %i', (lost, text, level) => {
  expect([shareText(lost), levelOf(lost)]).toEqual([text, level]);
});
