import { expect, test } from 'vitest';
import { reasonOf } from './reason-words';
import { remedyOf } from './remedies';

test('the remedy is that of the first guard that has one; what was lost has none', () => {
  const lost = reasonOf('frames-missing', { frames: 3, method: 'timestamps' });
  const stolen = reasonOf('cpu-stolen', { percent: 9, limitPercent: 5 });
  const starved = reasonOf('process-starved', { role: 'engine', seconds: 1.2, limitSeconds: 0.25 });
  const asleep = reasonOf('suspended', { seconds: 9 });
  expect(remedyOf([lost, starved, asleep])).toMatch(/^close other programs, or measure on a quieter machine/);
  expect(remedyOf([lost, asleep, starved])).toMatch(/^switch off sleep/);
  // Its own words say what to do.
  expect(remedyOf([lost, stolen])).toBeNull();
  expect(remedyOf([])).toBeNull();
});
