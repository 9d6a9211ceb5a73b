import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { metricOf } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { replacedLabel } from '../../app/facts/row-labels';
import { rowOf } from '../testing/fixtures';
import { plot } from './chart-frame';
import { StepChart } from './step-chart';

const cpuOf = (label: string, id: string) => ({ metric: metricOf(id), label, spread: null });
const spec = {
  ...{ title: 'CPU max', unit: '%' },
  series: [cpuOf('Sender', 'sender.cpuMaxPercent'), cpuOf('Receiver', 'receiver.cpuMaxPercent')],
};

function drawn(rows: readonly Row[]): string {
  return renderToStaticMarkup(<StepChart spec={spec} rows={rows} />);
}

const numbersOf = (markup: string, pattern: RegExp): number[] =>
  [...markup.matchAll(pattern)].map(([, number]) => Number(number));

/** The middle of each slot. */
const middles = (steps: number): number[] =>
  Array.from({ length: steps }, (_, step) => plot.left + (plot.width * (step + 0.5)) / steps);

test('marks of a ramp stand over the labels of their steps, in the middle of their slots', () => {
  const markup = drawn([rowOf(1), rowOf(2), rowOf(4)]);
  expect(numbersOf(markup, /<circle cx="([\d.]+)"/g).slice(-3)).toEqual(middles(3));
  expect(markup).toMatch(
    new RegExp(
      middles(3)
        .map((x, index) => `x="${x}"[^>]*>${[1, 2, 4][index]}<.*`)
        .join(''),
    ),
  );
});

test('bars of one row stand side by side around its label', () => {
  const markup = drawn([rowOf(1, { index: 0, label: 'RUDP' }), rowOf(1, { index: 1, label: 'UDP' })]);
  const bars = numbersOf(markup, /<rect x="([\d.]+)"[^>]*width="25.2"/g).map((x) => x + 28 / 2);
  const [first = 0, second = 0] = middles(2);
  expect(bars).toEqual([first - 14, second - 14, first + 14, second + 14]);
});

test('a row that was measured again breaks no line, one that is not there does', () => {
  const [first, second, third] = [rowOf(1, { index: 0 }), rowOf(2, { index: 2 }), rowOf(3, { index: 3 })];
  const again = rowOf(2, { index: 1, label: replacedLabel(2) });
  const linesOf = (rows: readonly Row[]): number => drawn(rows).split('<polyline').length - 1;
  expect([linesOf([first, again, second, third]), linesOf([first, second, third])]).toEqual([2, 4]);
});
