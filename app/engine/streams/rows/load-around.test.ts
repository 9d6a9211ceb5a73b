import { describe, expect, test } from 'vitest';
import { loadSample, roleLoad } from '../../../testing/load-sample';
import { sharedLoad } from '../../../testing/shared-load';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import {
  eachTrouble,
  noTroubles,
  receiverLoadAround,
  reportedLoadAround,
  senderLoadAround,
  troublesOf,
} from './load-around';
import { ReportedLoads } from './reported-load';

const at = { fromNs: 10e9, toNs: 11e9 };
const loads = [8, 9.5, 12.5, 14].map((seconds) => ({
  atNs: seconds * 1e9,
  cpuPercent: 6 * seconds,
  gpuPercent: null,
  roles: { sending: roleLoad(6 * seconds - 10, 60, 'sdk') },
}));
const samples = loads.map((load) => loadSample(load));
const around = { cpu: { busiestPercent: 75, othersPercent: 10 }, gpu: { busiestPercent: null } };

test('the load that counts is the most around what went wrong, here and as a sender elsewhere reports it', () => {
  const reportedLoads = new ReportedLoads();
  for (const { atNs, cpuPercent } of loads)
    reportedLoads.add({ ...sharedLoad({ cpuPercent, othersPercent: 7, stealPercent: 1 }), atNs });
  for (const trouble of ['missedAt', 'lostAt', 'absentAt', 'stalledAt', 'placeholdersAt']) {
    const troubles = { ...noTroubles, [trouble]: at };
    expect(senderLoadAround(troubles, { samples })).toMatchObject({ ...around, isElsewhere: false });
    expect(reportedLoadAround({ reportedLoads }, troubles)).toMatchObject({
      cpu: { busiestPercent: 75, othersPercent: 7 },
      gpu: { othersPercent: null, noOthers: 'the sender does not report it' },
      stolenPercent: 1,
      isElsewhere: true,
    });
  }
});

test('the load at another time made no sender late, and none is known where nothing went wrong', () => {
  const reportedLoads = new ReportedLoads();
  reportedLoads.add({ ...sharedLoad({ cpuPercent: 99 }), atNs: 14e9 });
  const later = [loadSample({ atNs: 14e9, cpuPercent: 99 })];
  for (const troubles of [{ ...noTroubles, missedAt: at }, noTroubles]) {
    expect(senderLoadAround(troubles, { samples: later })).toBeNull();
    expect(reportedLoadAround({ reportedLoads }, troubles)).toBeNull();
  }
});

test('the load that counts for what our queue dropped is the most around it, and none at another time', () => {
  const dropped = { ...noTroubles, queueDroppedAt: at };
  expect(receiverLoadAround(dropped, { samples })).toMatchObject(around);
  expect(receiverLoadAround(dropped, { samples: samples.slice(3) })).toBeNull();
  expect(receiverLoadAround(noTroubles, { samples })).toBeNull();
});

test('what others took is not known where one of our own processes could not be read, and it says why', () => {
  const reason = 'no file descriptor is left';
  const unread = loads.map((load) =>
    loadSample({
      ...load,
      ...{ roles: { sending: null }, gpuPercent: 95, gpuOthersPercent: null },
      notMeasured: { 'roles.sending': reason, gpuOthersPercent: reason },
    }),
  );
  const unknown = { othersPercent: null, noOthers: reason };
  expect(receiverLoadAround({ ...noTroubles, lostAt: at }, { samples: unread })).toMatchObject({
    ...{ cpu: { busiestPercent: 75, ...unknown }, gpu: { busiestPercent: 95, ...unknown } },
  });
});

test('CPU and GPU are apart: what others took of the one says nothing of the other', () => {
  const filled = loads.map((load) => loadSample({ ...load, gpuPercent: 97, gpuOthersPercent: 60 }));
  expect(receiverLoadAround({ ...noTroubles, lostAt: at }, { samples: filled })).toMatchObject({
    ...{ cpu: { busiestPercent: 75, othersPercent: 10 }, gpu: { busiestPercent: 97, othersPercent: 60 } },
  });
});

describe('each thing that goes wrong says when it did', () => {
  const outage = { ...at, sinceNs: 9e9, isOver: true, frames: 30, isStall: false };
  const absent = { worstAbsent: { frames: 5, at } };
  const nothing = { missedAt: null, queueDroppedAt: null, lostAt: null, stalledAt: null, worstAbsent: null };
  const counts = { coded: null, foreign: null, outages: [], waited: null };

  test.each<[string, Partial<Parameters<typeof troublesOf>[0]>, string[]]>([
    ['nothing', {}, []],
    ['frames that the sender missed', { coded: { ...nothing, missedAt: at } as RangeCounts }, ['missedAt']],
    [
      'frames of a remote sender of which neither the picture nor the record came',
      { coded: { ...nothing, ...absent } as RangeCounts },
      ['absentAt'],
    ],
    [
      'placeholders of a sender without our code',
      { foreign: { lostAt: null, stalledAt: null, placeholdersAt: at } as ForeignCounts },
      ['placeholdersAt'],
    ],
    ['an outage', { outages: [outage] }, ['stalledAt', 'outage since 9000000000']],
    ['a first picture that was waited for', { waited: at }, ['stalledAt']],
  ])('%s', (_, given, keys) => {
    const troubles = eachTrouble(troublesOf({ ...counts, ...given }));
    expect(troubles.map(({ key }) => key)).toEqual(keys);
    for (const trouble of troubles) expect(trouble.at).toMatchObject(at);
  });
});
