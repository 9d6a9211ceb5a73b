import { expect, test } from 'vitest';
import { FileGrants } from './file-grants';
import { fileGrantSchema, grantedPath } from './granted-file';

test('a chosen file is had once, for what it was chosen for', () => {
  const grants = new FileGrants();
  const { grant, path } = grants.grant('export', '/media/report.html');
  expect(path).toBe('/media/report.html');
  expect(fileGrantSchema.safeParse(grant).success).toBe(true);
  expect(grants.redeem('picture', grant)).toBeNull();
  expect(grants.redeem('export', grant)).toBe('/media/report.html');
  expect(grants.redeem('export', grant)).toBeNull();
});

test('a path is no word for a file', () => {
  const grants = new FileGrants();
  grants.grant('export', '/media/report.html');
  expect(grants.redeem('export', '/media/report.html')).toBeNull();
  expect(fileGrantSchema.safeParse('/media/report.html').success).toBe(false);
  expect(() => grantedPath('export', null)).toThrow('Expected a file to write to');
});

test('words that are never used do not pile up', () => {
  const grants = new FileGrants();
  const words = Array.from({ length: 150 }, (_, index) => grants.grant('plan', `/plans/${index}.yaml`).grant);
  const alive = words.filter((word) => grants.redeem('plan', word) !== null);
  expect(alive).toEqual(words.slice(50));
});
