import { expect, test } from 'vitest';
import { loadSample } from '../../testing/load-sample';
import { LoadSums } from './load-sums';
import { unreadableReason, whyUnreadable } from './proc';
import { hostLoad } from './window';

test.each([
  [
    'EMFILE',
    'this process could not open /proc/9/stat: no file descriptor is left (EMFILE; raise ulimit -n)',
  ],
  ['EACCES', '/proc/9/stat could not be read (EACCES)'],
  ['ESRCH', null],
  ['ENOENT', null],
])('why a file of /proc could not be read is what the system says: %s', (code, reason) => {
  expect(unreadableReason('/proc/9/stat', code, true)).toBe(reason);
});

test('a file that can be read, and one whose process is gone, have no reason; a system without /proc has one', () => {
  expect(whyUnreadable('/proc/stat')).toBeNull();
  expect(whyUnreadable('/proc/no-such-process/stat')).toBeNull();
  expect(unreadableReason('/proc/stat', 'ENOENT', false)).toBe(
    'not measured on this system: /proc is absent',
  );
});

test('of a role whose processes could not be read, the load is not measured, and it is not said that none ran', () => {
  const reason = 'no file descriptor is left';
  const samples = [1, 1.5, 2, 2.5, 3].map((seconds) =>
    loadSample({
      ...{ atNs: seconds * 1e9, roles: { sending: null, receiving: null } },
      notMeasured: { 'roles.sending': reason },
    }),
  );
  const { load, notMeasured } = hostLoad(LoadSums.of(samples), 'sending');
  expect([load.cpuProcessMaxPercent, load.othersCpuMeanPercent]).toEqual([null, null]);
  expect([notMeasured.cpuProcessMaxPercent, notMeasured.othersCpuMeanPercent]).toEqual([reason, reason]);
  expect(hostLoad(LoadSums.of(samples), 'receiving').notMeasured.cpuProcessMaxPercent).toBe(
    'no receiving process was running',
  );
});
