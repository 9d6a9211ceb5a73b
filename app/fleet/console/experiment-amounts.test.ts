import { expect, test } from 'vitest';
import type { FromExperiment } from '../../protocol/fleet/experiment-messages';
import { SimulatedClock } from '../../testing/simulated-clock';
import { rowAt } from '../elsewhere.fixture';
import { ExperimentAmounts } from './experiment-amounts';

const row: FromExperiment = { type: 'row', row: rowAt(new SimulatedClock(), 'one') };
const event: FromExperiment = { type: 'event', kind: 'thread-policy', text: 'again' };
const long: FromExperiment = { ...event, text: 'é'.repeat(1000), details: { text: 'x'.repeat(200_000) } };

test.each([
  ['rows', row, 10_000, 'Expected at most 10000 of one experiment for row but received 10001'],
  ['events', event, 5000, 'Expected at most 5000 of one experiment for event but received 5001'],
  // 202,071 bytes each: é has two.
  ['bytes', long, 158, 'Expected at most 32000000 bytes of one experiment for event but received 32129289'],
])('more %s than an experiment has are refused, by field and value', (_, message, most, words) => {
  const amounts = new ExperimentAmounts();
  for (let count = 0; count < most; count++) amounts.add(message);
  expect(() => amounts.add(message)).toThrow(words);
});
