import { expect, test } from 'vitest';
import type { LoadSample } from '../../../protocol/load';
import { defaultThresholds } from '../../../protocol/thresholds';
import {
  captures,
  range,
  sourceRecords,
  submits,
  testSenderId,
  testSourceId,
} from '../../../testing/columns';
import { loadSample } from '../../../testing/example-run';
import { monotonicNs } from '../../clock';
import { firstSlotFrom, slotNs } from '../counting/schedule';
import { SourceLedger } from '../counting/source-ledger';
import { StreamLedger } from '../counting/stream-ledger';
import { ActiveSource, Stream } from '../stream';
import { RowMeter } from './row-meter';

const rate = { numerator: 60, denominator: 1 };

/** A row of two seconds that ended `endedSecondsAgo`, of one stream with all its records but those of late frames. */
function measuredRow(endedSecondsAgo = 0.5, lateFrames = 0) {
  const toNs = monotonicNs() - endedSecondsAgo * 1e9;
  const fromNs = toNs - 2e9;
  const schedule = { startNs: fromNs - 5e9, rate };
  const source = new ActiveSource(1, 'white-line', { width: 640, height: 360, rate });
  source.ledger = new SourceLedger(schedule);
  const stream = new Stream(testSenderId, 'Whiteline 1', source, fromNs - 3e9, 0);
  stream.ledger = new StreamLedger(source.ledger, {
    ...{ sourceId: testSourceId, senderId: testSenderId, firstSlot: 0 },
    ...{ assumeSubmitted: false, wallOffsetUs: 0 },
  });
  const set = { deaths: 0, flush: () => Promise.resolve() };
  const samples: LoadSample[] = [0, 0.5, 1, 1.5, 2, 2.5].map((seconds) =>
    loadSample({ atNs: fromNs + seconds * 1e9 }),
  );
  const options = {
    ...{ set, thresholds: defaultThresholds, wallOffsetUs: 0 },
    ...{ samples: () => samples, baselineMbps: () => 0 },
  };
  const meter = new RowMeter(options, 1, [stream], fromNs, toNs);
  const slots = range(0, firstSlotFrom(schedule, toNs) + 10);
  source.ledger.add(sourceRecords(slots));
  stream.ledger.addSubmits(submits(slots));
  const pictures = slots.map((slot) => ({ frameNumber: slot, captureNs: slotNs(schedule, slot) + 2e6 }));
  const late = pictures.splice(firstSlotFrom(schedule, toNs) - lateFrames);
  stream.ledger.addCaptures(captures(pictures));
  return { meter, set, samples, stream, toNs, schedule, fromNs, late: captures(late) };
}

test('a row covers the slots from its beginning to its end, and no more', async () => {
  const { meter, stream, toNs, schedule, fromNs } = measuredRow();
  const row = await meter.close(toNs);
  const first = meter.firstSlot(stream) ?? -1;
  expect(slotNs(schedule, first)).toBeGreaterThanOrEqual(fromNs - 1e4);
  expect(slotNs(schedule, first - 1)).toBeLessThan(fromNs);
  expect(row.framesScheduled).toBeGreaterThanOrEqual(119);
  expect(row.framesScheduled).toBeLessThanOrEqual(121);
  expect(row).toMatchObject({ framesReceived: row.framesScheduled, conserved: true, verdict: 'PASS' });
  expect(row.perStream[0]).toMatchObject({ firstFrame: first, framesDropped: 0 });
});

test('the row as it stands ends a second ago', () => {
  const { meter, fromNs } = measuredRow(0);
  expect(meter.preview(fromNs + 1.9e9)).toBeNull();
  const row = meter.preview(fromNs + 2.5e9);
  expect(row?.measuredSeconds).toBeCloseTo(1.5, 6);
  expect(row?.framesReceived).toBe(row?.framesScheduled);
});

type Measured = ReturnType<typeof measuredRow>;

test.each<[string, RegExp, (row: Measured) => void]>([
  ['a gap between load samples', /no load sample for 2\.0 s/, ({ samples }) => samples.splice(1, 3)],
  ['a load sampler that stopped', /no load sample for 2\.0 s/, ({ samples }) => samples.splice(1)],
  ['no load sample at all', /no load sample for 2\.0 s/, ({ samples }) => samples.splice(0)],
  [
    'time stolen by the hypervisor',
    /the hypervisor took 6\.0 % of the CPU away \(limit 5 %\)/,
    ({ samples }) => samples.push(loadSample({ atNs: (samples[4]?.atNs ?? 0) + 1, cpuStealPercent: 6 })),
  ],
  [
    'the death of a stream host',
    /a stream process died in the row/,
    ({ set }) => {
      set.deaths += 1;
    },
  ],
  [
    'an overflowed ring of a sender',
    /7 records of stage submits of Whiteline 1 were lost/,
    ({ stream }) => stream.ledger?.addSubmits({ ...submits([]), overflowed: 7 }),
  ],
  [
    'an overflowed ring of a receiver',
    /8 records of stage captures of Whiteline 1 were lost/,
    ({ stream }) => stream.ledger?.addCaptures({ ...captures([]), overflowed: 8 }),
  ],
  [
    'an overflowed ring of a source',
    /9 records of stage source of Whiteline 1 were lost/,
    ({ stream }) => stream.source.ledger?.add({ ...sourceRecords([]), overflowed: 9 }),
  ],
])('%s makes the row INVALID', async (_, reason, spoil) => {
  const row = measuredRow();
  spoil(row);
  const closed = await row.meter.close(row.toNs);
  expect(closed.verdict).toBe('INVALID');
  expect(closed.reason).toMatch(reason);
});

test('a row that is written late is INVALID', async () => {
  const { meter, toNs } = measuredRow(4);
  expect(await meter.close(toNs)).toMatchObject({
    verdict: 'INVALID',
    reason: expect.stringMatching(/the row was written 2\.\d s late/),
  });
});

test('frames on their way are waited for, and counted when they come', async () => {
  const { meter, stream, set, toNs, late } = measuredRow(0, 3);
  let flushes = 0;
  set.flush = async () => {
    flushes += 1;
    if (flushes === 4) stream.ledger?.addCaptures(late);
  };
  expect(await meter.close(toNs)).toMatchObject({ framesDropped: 0, conserved: true });
  expect(flushes).toBe(4);
});

test('frames that do not come are dropped, after two seconds at most', async () => {
  const { meter, toNs } = measuredRow(0, 3);
  const row = await meter.close(toNs);
  expect(row.framesDropped).toBe(3);
  expect(row.perStream[0]?.droppedFrames.length).toBe(3);
  const seconds = (monotonicNs() - toNs) / 1e9;
  expect(seconds).toBeGreaterThanOrEqual(2);
  expect(seconds).toBeLessThan(3);
});
