import { expect, test } from 'vitest';
import { howToGet } from './how-to-get';

test('advice on Windows names no Debian package', () => {
  for (const what of ['ffmpeg', 'iperf3', 'a clock that is kept'] as const) {
    expect(howToGet(what, 'linux')).toMatch(/^Debian: apt-get install /);
    expect(howToGet(what, 'win32')).not.toMatch(/apt-get|Debian/);
  }
});
