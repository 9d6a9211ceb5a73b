import { expect, test } from 'vitest';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { receiverLoadAround, senderLoadAround } from './load-around';
import { ReportedLoads } from './reported-load';

const at = { fromNs: 10e9, toNs: 11e9 };
const none = { missedAt: null, queueDroppedAt: null, lostAt: null, stalledAt: null };
const loads = [8, 9.5, 12.5, 14].map((seconds) => ({
  atNs: seconds * 1e9,
  cpuPercent: 6 * seconds,
  gpuPercent: null,
  roles: { sending: roleLoad(6 * seconds - 10, 60, 'sdk') },
}));
const samples = loads.map((load) => loadSample(load));
const around = { busiestPercent: 75, othersPercent: 10 };

test('the load that counts is the most around what went wrong, here and as a sender elsewhere reports it', () => {
  const reportedLoads = new ReportedLoads();
  for (const trouble of ['missedAt', 'lostAt', 'stalledAt'])
    expect(senderLoadAround({ reportedLoads }, { ...none, [trouble]: at }, samples)).toEqual(around);
  for (const load of loads) reportedLoads.add(load);
  // What others take of that machine it does not report.
  expect(senderLoadAround({ reportedLoads }, { ...none, missedAt: at }, null)).toEqual({
    busiestPercent: 75,
    othersPercent: null,
  });
});

test('the load at another time made no sender late, and none is known where nothing went wrong', () => {
  const reportedLoads = new ReportedLoads();
  const later = [loadSample({ atNs: 14e9, cpuPercent: 99 })];
  expect(senderLoadAround({ reportedLoads }, { ...none, missedAt: at }, later)).toBeNull();
  expect(senderLoadAround({ reportedLoads }, none, later)).toBeNull();
  expect(senderLoadAround({ reportedLoads }, null, later)).toBeNull();
});

test('the load that counts for what our queue dropped is the most around it, and none at another time', () => {
  const dropped = { ...none, queueDroppedAt: at };
  expect(receiverLoadAround(dropped, samples)).toEqual(around);
  expect(receiverLoadAround(dropped, samples.slice(3))).toBeNull();
  expect(receiverLoadAround(none, samples)).toBeNull();
  expect(receiverLoadAround(null, samples)).toBeNull();
});

test('what others took is not known where one of our own processes could not be read', () => {
  const unread = loads.map((load) =>
    loadSample({
      ...load,
      roles: { sending: null },
      notMeasured: { 'roles.sending': 'no file descriptor is left' },
    }),
  );
  expect(receiverLoadAround({ ...none, lostAt: at }, unread)?.othersPercent).toBeNull();
});
