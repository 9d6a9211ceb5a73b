import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { jsonLines } from './json-lines';

const folder = temporaryFolder();
const path = join(folder, 'lines.jsonl');

test('lines longer than what is read at once come whole, whatever character lies on the border', () => {
  // 3 bytes each, so that a border of 1 MiB falls within one of them.
  const values = [
    { text: '…'.repeat(800_000) },
    { text: '' },
    { text: 'é'.repeat(1_500_000) },
    { last: true },
  ];
  writeFileSync(path, values.map((value) => JSON.stringify(value)).join('\n'));
  expect([...jsonLines(path)]).toEqual(values);
});

test('a hundred megabytes of zeros are passed over, and what stands before them is read', () => {
  writeFileSync(path, '{"a":1}\n{"b":2}\n');
  truncateSync(path, 100e6);
  expect([...jsonLines(path)]).toEqual([{ a: 1 }, { b: 2 }]);
});

test('empty lines, a file that ends within a line, and no file at all', () => {
  writeFileSync(path, '\n\n{"a":1}\n\n{"b":');
  expect([...jsonLines(path)]).toEqual([{ a: 1 }]);
  writeFileSync(path, '');
  expect([...jsonLines(path)]).toEqual([]);
  expect([...jsonLines(join(folder, 'absent'))]).toEqual([]);
  expect([...jsonLines(folder)]).toEqual([]);
});

test('who needs the first line alone reads no more', () => {
  writeFileSync(path, '{"a":1}\n'.repeat(3));
  for (const value of jsonLines(path)) {
    expect(value).toEqual({ a: 1 });
    break;
  }
});
