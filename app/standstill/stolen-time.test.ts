import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { StolenTime } from './stolen-time';

const file = join(temporaryFolder(), 'stat');
const write = (steal: number): void => writeFileSync(file, `cpu  1 2 3 4 5 6 7 ${steal} 9 10\ncpu0 1 2\n`);

test('looked at once a second, and at a wake that was late', () => {
  write(100);
  const stolen = new StolenTime(file);
  write(105);
  expect(stolen.at(1e9, false)).toBe(5e7);
  write(107);
  expect(stolen.at(1.9e9, false)).toBe(0);
  expect(stolen.at(1.95e9, true)).toBe(2e7);
  expect(stolen.at(2.95e9, false)).toBe(0);
});

test('0 where the system does not tell, also for a time', () => {
  expect(new StolenTime(`${file}-absent`).at(1e9, true)).toBe(0);
  write(100);
  const stolen = new StolenTime(file);
  writeFileSync(file, 'cpu  1 2 3 4\n');
  expect(stolen.at(1e9, true)).toBe(0);
  write(120);
  expect(stolen.at(2e9, true)).toBe(0);
  write(121);
  expect(stolen.at(3e9, true)).toBe(1e7);
});
