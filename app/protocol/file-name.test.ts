import { expect, test } from 'vitest';
import { planFileName } from './file-name';

test.each([
  ['Hall 3, evening', 'hall-3-evening.yaml'],
  ['../../etc/passwd', 'etc-passwd.yaml'],
  ['日本', 'plan.yaml'],
  ['', 'plan.yaml'],
])('a plan called %j is proposed as %s', (name, file) => {
  expect(planFileName(name)).toBe(file);
});
