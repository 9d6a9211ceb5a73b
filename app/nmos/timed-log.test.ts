import { expect, it } from 'vitest';
import { SimulatedClock } from '../testing/simulated-clock';
import { timedLog } from './timed-log';

it('a line begins with its time', () => {
  const lines: string[] = [];
  const clock = new SimulatedClock(Date.UTC(2026, 10, 25, 17, 0, 0, 7));
  const log = timedLog((line) => lines.push(line), clock);
  log('a node expired');
  expect(lines).toEqual(['2026-11-25T17:00:00.007Z a node expired']);
});
