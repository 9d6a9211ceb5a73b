import { expect, test } from 'vitest';
import { exportName } from './export-name';

const at = { hosts: ['Rack 1'], experiment: 'stream-load', startedAt: '2026-11-22T11:18:00.000Z' };

test('the name of an export has machine, experiment, source and format, and when the run began', () => {
  expect(exportName(at)).toBe('whiteline-rack-1-stream-load-2026-11-22t11-18-00');
  expect(exportName({ ...at, sources: ['white-line', 'Clip 2.mov'], formats: ['1920x1080@59.94'] })).toBe(
    'whiteline-rack-1-stream-load-white-line-clip-2-mov-1920x1080-59-94-2026-11-22t11-18-00',
  );
});

test('client and project come first, where they are set', () => {
  const header = { client: 'Northlight', project: 'Hall 3, opening' };
  expect(exportName({ ...at, ...header })).toBe(
    'whiteline-northlight-hall-3-opening-rack-1-stream-load-2026-11-22t11-18-00',
  );
  expect(exportName({ ...at, client: '', project: 'Hall 3' })).toMatch(/^whiteline-hall-3-rack-1-/);
});

test.each([
  ['of other scripts', ['Прелюдия', '序曲']],
  ['that lead elsewhere', ['../../etc', 'C:\\CON', 'a:b*c?"<>|', '\u202e.. ']],
  ['without end', ['x'.repeat(10_000)]],
])('names %s make a name that any file system takes', (_, sources) => {
  const name = exportName({
    ...at,
    hosts: ['x'.repeat(999)],
    experiment: 'y'.repeat(999),
    client: sources[0],
    project: sources.at(-1),
    sources,
    formats: sources,
  });
  expect(name).toMatch(/^[a-z0-9]+(-+[a-z0-9]+)*$/);
  expect(`${name}.parquet`.length).toBeLessThanOrEqual(255);
});
