import { beforeEach, expect, test } from 'vitest';
import type { ReceiverReport } from '../../protocol/host';
import type { ReceiverStatus } from '../../protocol/records';
import { sharedRecordsXml } from '../../protocol/shared-records';
import { captures, range, testSourceId } from '../../testing/columns';
import { FakeApplication } from '../../testing/fake-application';
import { WatchSet } from './watch-set';

const boot = 'this-boot';
const periodNs = 1e9 / 60;
/** The sender has run for a day when it is watched. */
const first = 5_184_000;
const slotNs = (slot: number): number => 5e9 + slot * periodNs;

const status: ReceiverStatus = {
  ...{ connections: 1, width: 640, height: 360, rateNumerator: 60, rateDenominator: 1, progressive: true },
  ...{ fourCC: 'UYVY', picturesCaptured: 1, lastCaptureNs: 1, sdkDropped: 0, sdkQueueDepth: 0 },
};

let application: FakeApplication;
let set: WatchSet;

beforeEach(async () => {
  application = new FakeApplication();
  set = new WatchSet({
    ...{ application, ndiCandidates: [], wallOffsetUs: 0, boot },
    noteEvent: () => undefined,
  });
  await set.start();
  await set.add('Elsewhere 1');
});

function report(slots: number[], metadata: string[] = [], atNs = slotNs(slots.at(-1) ?? first)): void {
  const receiver: ReceiverReport = {
    ...{ streamId: 1, sourceName: 'HOST (Elsewhere 1)', address: '', openedNs: 1, status, metadata },
    captures: captures(
      slots.map((slot) => ({
        ...{ frameNumber: slot, captureNs: slotNs(slot) + 3e6, senderId: 7 },
        releaseTimeUs: Math.round(slotNs(slot) / 1000),
      })),
    ),
  };
  application.host('receiving').report({ atNs, receivers: [receiver] });
}

function told(submitted: number[], missed: number[] = [], bootId = boot): string {
  return sharedRecordsXml({
    ...{
      senderId: 7,
      sourceId: testSourceId,
      startNs: 5e9,
      wallOffsetUs: 0,
      boot: bootId,
      submitted,
      missed,
    },
  });
}

function ledger() {
  const found = set.streams[0]?.ledger;
  if (!found) throw new Error('the stream is not followed yet');
  return found;
}

test('with the sender’s records each absent number is attributed', () => {
  report(range(first, first + 9), [told(range(first, first + 9))]);
  const counter = ledger().openRange(first + 10);
  counter.last = first + 99;
  const seen = range(first + 10, first + 109).filter((slot) => ![first + 20, first + 30].includes(slot));
  const submitted = range(first + 10, first + 109).filter((slot) => slot !== first + 20);
  report(seen, [told(submitted, [first + 20])]);
  const counts = ledger().close(counter, first + 99);
  expect(counts.tally).toMatchObject({ scheduled: 90, submitted: 89, missed: 1, dropped: 1 });
  expect([counts.tally.missedSlots, counts.tally.droppedSlots]).toEqual([[first + 20], [first + 30]]);
  expect(counts.conserved).toBe(true);
  expect(counter.latencyUs.getValueAtPercentile(50)).toBeGreaterThan(2990);
});

test('without them it waits a second, then counts what is missing', () => {
  report(range(first, first + 9));
  expect(set.streams[0]?.ledger).toBeNull();
  report(range(first + 10, first + 69));
  expect(ledger().identity).toMatchObject({ assumeSubmitted: true, wallOffsetUs: null, firstSlot: first });
  const counter = ledger().openRange(first + 70);
  counter.last = first + 99;
  report(range(first + 70, first + 119).filter((slot) => slot !== first + 80));
  expect(ledger().close(counter, first + 99).tally).toMatchObject({ dropped: 1, submitted: 30 });
});

test('a sender on another machine has another clock, so there is no latency', () => {
  report(range(first, first + 9), [told(range(first, first + 9), [], 'another-boot')]);
  expect(ledger().identity).toMatchObject({ assumeSubmitted: false, wallOffsetUs: null });
});

test('hostile metadata takes no memory and moves no count', () => {
  report(range(first, first + 9), [told(range(first, first + 9))]);
  const counter = ledger().openRange(first + 10);
  counter.last = first + 49;
  const foreign = told(range(first, first + 49)).replace(`source="${testSourceId}"`, 'source="1"');
  report(range(first + 10, first + 59), [
    ...['<whiteline_records/>', '<x', '', foreign, '<ndi_tally/>'],
    told(range(first + 10, first + 59)),
  ]);
  expect(ledger().close(counter, first + 49)).toMatchObject({ received: 40, conserved: true });
  const before = process.memoryUsage().arrayBuffers;
  report([first + 60], [told([first + 60, 4_000_000_000, 2_000_000_000])]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
  expect(ledger().anomalies).toBeGreaterThan(0);
});

test('the death of the receiving host is told', () => {
  application.host('receiving').die();
  expect(set.deaths).toBe(1);
});
