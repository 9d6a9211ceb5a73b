import { expect, test } from 'vitest';
import { metricFor } from '../../app/facts/metrics/registry';
import { definitionsOf } from './definitions';

test('a figure that is defined like one beside it says what is different, and alone all of it', () => {
  const [sender, receiver] = ['sender.cpuMaxPercent', 'receiver.cpuMaxPercent'].map((id) => metricFor(id));
  if (!sender || !receiver) throw new Error('The registry has both');
  const textOf = (metrics: Parameters<typeof definitionsOf>[0]) => definitionsOf(metrics).at(-1)?.text;
  expect(textOf([sender, receiver])).toBe(
    'As Sender CPU max, all programs, of the receiver. If several machines receive, the highest of their figures.',
  );
  expect(textOf([receiver])).toContain(receiver.formula);
});
