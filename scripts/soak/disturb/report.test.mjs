import { expect, test } from 'vitest';
import { againBy, findingText } from './report.mjs';

test.each(['disturb', 'matrix'])('a finding of %s says how its run is repeated', (area) => {
  const experiment = { id: 'link by TCP' };
  const finding = { kind: 'false pass', row: 1, text: 'PASS', isApart: false, reason: '[]' };
  const again = againBy(area, 7)({ experiment, number: 10 });
  expect(findingText(finding, { experiment, again, done: 'engine stopped' })).toBe(
    [
      'FALSE PASS: link by TCP, row 1: PASS',
      '  done: engine stopped',
      '  said: []',
      `  again: npm run soak -- ${area} --seed 7 --only 'link by TCP' (run 10)`,
    ].join('\n'),
  );
});
