import { expect, test } from 'vitest';
import { planFileName } from './plan-file-name';

test.each([
  ['Acceptance, hall 3', 'Acceptance hall 3'],
  ['Größe 4K', 'Größe 4K'],
  ['../../etc/passwd', 'etc passwd'],
  ['a/b\\c:d', 'a b c d'],
  ['..', 'plan'],
  ['', 'plan'],
  ['\u202egpj\n', 'gpj'],
])('the plan %j is saved as %j', (name, file) => {
  expect(planFileName(name)).toBe(file);
});
