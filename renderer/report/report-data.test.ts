import { expect, test } from 'vitest';
import { flatten, parseReport } from './report-data';

test('a page that was never filled holds no run', () => {
  expect(parseReport('{}')).toBeNull();
});

test('a tree of values becomes lines, and what is null stays a dash', () => {
  expect(flatten({ cpu: { model: 'Ryzen', cores: 32 }, gpu: null, disks: ['sda', 'sdb'] })).toEqual([
    ['cpu.model', 'Ryzen'],
    ['cpu.cores', '32'],
    ['gpu', '—'],
    ['disks', 'sda, sdb'],
  ]);
});
