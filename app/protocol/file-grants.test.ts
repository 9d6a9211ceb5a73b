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

test('the word for a file that was written opens it as often as it likes, and before that nothing', () => {
  const grants = new FileGrants();
  const { grant } = grants.grant('export', '/reports/run.csv');
  expect(grants.writtenPath(grant)).toBeNull();
  expect(grants.redeem('plan', grant)).toBeNull();
  expect(grants.redeem('export', grant)).toBe('/reports/run.csv');
  expect(grants.redeem('export', grant)).toBeNull();
  expect([grants.writtenPath(grant), grants.writtenPath(grant)]).toEqual([
    '/reports/run.csv',
    '/reports/run.csv',
  ]);
});

test('what was read, and a word that was never given, opens nothing', () => {
  const grants = new FileGrants();
  for (const purpose of ['picture', 'import', 'plan-to-open', 'join-file'] as const) {
    const { grant } = grants.grant(purpose, '/home/operator/.ssh/id');
    grants.redeem(purpose, grant);
    expect(grants.writtenPath(grant), purpose).toBeNull();
  }
  expect(grants.writtenPath('/etc/passwd')).toBeNull();
});

test('no more than the newest 100 words stay', () => {
  const grants = new FileGrants();
  const words = Array.from({ length: 150 }, (_, index) => grants.offer(`/${index}`).grant);
  expect(words.map((word) => grants.writtenPath(word)).filter((path) => path !== null)).toHaveLength(100);
  expect(grants.writtenPath(words.at(-1) ?? '')).toBe('/149');
});
