import { expect, test } from 'vitest';
import { parseBytes } from './byte-size';

test.each([
  ['0', 0],
  ['1500', 1500],
  ['1.5kB', 1500],
  ['500MB', 5e8],
  ['4 GB', 4e9],
  [' 2TB ', 2e12],
])('%s', (text, bytes) => {
  expect(parseBytes(text, 'size')).toBe(bytes);
});

test.each(['', 'MB', '-1', '1e9', '4gb', '4GiB', '1.2345GB', '1234567890123456'])(
  '“%s” is no size',
  (text) => {
    expect(() => parseBytes(text, 'allowLogs')).toThrow(/Expected a size for allowLogs/);
  },
);
