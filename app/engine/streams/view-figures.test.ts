import { expect, test } from 'vitest';
import type { Verdict } from '../../facts/verdict';
import { loadSample, roleLoad } from '../../testing/load-sample';
import { foreign, measured } from '../../testing/measured-streams';
import { joined, type Known, reasonOfStarts } from './past-counts';
import type { MeasuredStream } from './rows/measured-stream';
import { countsOf, ownBitrateOf } from './view-figures';

const shown = ({ stream, counts, foreign: other }: MeasuredStream) =>
  countsOf(stream, { coded: counts, foreign: other?.counts ?? null });
const unsteady = { missing: null, missingReason: 'at no steady rate', received: null, duplicated: null };

test('a strip counts nothing that its row does not measure', () => {
  expect(shown(measured([100, 101]))).toMatchObject({
    ...{ lostTotal: 2, framesDropped: 2, framesMissing: null, framesSenderMissed: 0, framesSubmitted: 120 },
  });
  const own = measured();
  expect(
    Object.values(countsOf(own.stream, { coded: null, foreign: null })).every((one) => one === null),
  ).toBe(true);
  expect(shown(measured([100, 101], { assumeSubmitted: true }))).toMatchObject({
    ...{ lostTotal: 2, framesMissing: 2, framesReceived: 118 },
    ...{ framesDropped: null, framesSenderMissed: null, framesSubmitted: null, framesLateSource: null },
  });
  expect(shown(foreign({ missing: 3 }))).toMatchObject({
    ...{ lostTotal: 3, framesMissing: 3, framesReceived: 120, framesDuplicated: 0 },
    ...{ framesDropped: null, framesSubmitted: null, framesUndecodable: null, framesTorn: null },
  });
  expect(shown(foreign(unsteady))).toMatchObject({
    ...{ lostTotal: null, framesMissing: null, framesReceived: null, framesDuplicated: null },
  });
});

test('over a new start, none lost is said only where losses were measured all the time', () => {
  const known = (one: MeasuredStream): Known => ({
    counts: { ...shown(one), framesInOutages: null },
    lossesNotMeasured: one.foreign?.counts.missingReason ?? '',
    ...{ longestGapMs: null, verdict: null, reason: '' },
    ...{ sinceOutage: '', beforeOutage: '', isPartial: false },
  });
  const sum = (past: MeasuredStream, now: MeasuredStream): (string | number | null)[] => {
    const { counts, lossesNotMeasured } = joined(known(past), known(now));
    return [counts.lostTotal, counts.framesMissing, lossesNotMeasured];
  };
  expect(sum(foreign({ missing: 0 }), foreign({ missing: 2 }))).toEqual([2, 2, '']);
  expect(sum(foreign(unsteady), foreign({ missing: 0 }))).toEqual([null, null, 'at no steady rate']);
  expect(sum(foreign({ missing: 0 }), foreign(unsteady))).toEqual([null, null, 'at no steady rate']);
  expect(sum(foreign(unsteady), foreign({ missing: 2 }))).toEqual([2, 2, 'at no steady rate']);
});

test('a reason names the start that it is of, where others did not pass either, and what was lost in all', () => {
  const start = (
    verdict: Verdict,
    reason: string,
    sinceOutage: string,
    framesSenderMissed: number,
  ): Known => ({
    counts: { ...shown(measured()), framesInOutages: null, framesSenderMissed },
    ...{ lossesNotMeasured: '', longestGapMs: null, verdict, reason },
    ...{ sinceOutage, beforeOutage: '', isPartial: false },
  });
  const first = start('INVALID', 'missed 11', '', 11);
  const second = start('FAIL', 'missed 2', '14:47:35', 2);
  const third = start('PASS', 'no frame lost', '14:50:00', 0);
  const both = joined(first, second);
  expect(reasonOfStarts(both)).toBe(
    'since the outage at 14:47:35 UTC: missed 2; in all: 13 frames missed by the sender',
  );
  expect(reasonOfStarts(joined(both, third))).toBe(
    'since the outage at 14:47:35 UTC and before the outage at 14:50:00 UTC: missed 2; in all: 13 frames missed by the sender',
  );
  // One that passed has nothing to say.
  expect(reasonOfStarts(joined(first, third))).toBe('missed 11');
});

test('own traffic is that of a stream only where it is alone, and its sender has no other receiver', () => {
  const { stream } = measured();
  const traffic = { sentMbps: 112, receivedMbps: 7 };
  const sample = (streams = 1) =>
    loadSample({
      streams,
      roles: {
        sending: { ...roleLoad(20, 60, 'sdk'), traffic },
        receiving: { ...roleLoad(9, 60, 'sdk'), traffic },
      },
    });
  const own = (connections: number | null, streams = [stream], newest = sample()) => {
    stream.connections = connections;
    return ownBitrateOf(streams, newest, false);
  };
  expect(own(1)).toBe(112);
  expect([own(2), own(null), own(1, [stream, stream]), own(1, []), own(1, [stream], sample(2))]).toEqual(
    new Array(5).fill(null),
  );
  expect(ownBitrateOf([stream], sample(), true)).toBe(7);
  expect(ownBitrateOf([stream], undefined, true)).toBeNull();
  expect(ownBitrateOf([stream], loadSample({ streams: 1, roles: {} }), true)).toBeNull();
});
