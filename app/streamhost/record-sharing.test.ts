import { beforeEach, expect, test } from 'vitest';
import type { Sender } from '../../native/addon/index';
import type { SenderReport } from '../protocol/host';
import { InjectedFault, LateCause, MissCause } from '../protocol/records';
import type { SharedLoad } from '../protocol/shared-records';
import { mostFramesToShare, parseSharedRecords, type SharedRecords } from '../protocol/shared-records';
import { noStandstill } from '../protocol/standstill';
import { misses, range, sourceRecords, submits } from '../testing/columns';
import { sourceStatus } from '../testing/movie-facts';
import { sharedLoad } from '../testing/shared-load';
import { bootId, RecordSharing } from './record-sharing';

let sent: string[];
let sharing: RecordSharing;
let arrivals: number;
const sender = {
  sendMetadata: (xml: string) => sent.push(xml),
  status: () => ({ arrivals }),
} as unknown as Sender;

beforeEach(() => {
  sent = [];
  arrivals = 0;
  newestLoad = null;
  sharing = new RecordSharing(3, 1_700_000_000_000_000, 'f00-1');
});

const startNs = 5e9;

interface Batch {
  submitted?: number[];
  missed?: number[];
  missCause?: number;
  /** Slots of the source, and the causes of those that were late. */
  slots?: number[];
  late?: ReadonlyMap<number, number>;
  connections?: number;
  firstSlot?: number;
  cpuPercent?: number | null;
  environment?: readonly string[];
  overflowed?: { submits?: number; misses?: number; source?: number };
}

/** What the engine reported last; null before. */
let newestLoad: SharedLoad | null = null;

/** What the sender and its source did in the 100 ms that end at `atMs`. */
function share(atMs: number, batch: Batch): void {
  const { submitted = [], missed = [], missCause, slots = [], late = new Map(), overflowed = {} } = batch;
  const report: SenderReport = {
    streamId: 3,
    firstSlot: batch.firstSlot ?? 0,
    metadataDropped: 0,
    realTimeFinding: '',
    connections: batch.connections ?? 1,
    submits: {
      ...submits(submitted),
      beginNs: Float64Array.from(submitted, (slot) => startNs + slot * 33_333_333),
      overflowed: overflowed.submits ?? 0,
    },
    misses: { ...misses(missed, missCause), overflowed: overflowed.misses ?? 0 },
  };
  const source = {
    sourceId: 1,
    status: sourceStatus({ sourceId: 4711, startNs }),
    records: { ...sourceRecords(slots, late), overflowed: overflowed.source ?? 0 },
  };
  if (batch.cpuPercent !== undefined)
    newestLoad = sharedLoad({ measuredNs: atMs * 1e6 - 5e6, cpuPercent: batch.cpuPercent });
  const words = { load: newestLoad, environment: batch.environment ?? [], standstills: noStandstill };
  sharing.share(report, source, words, sender, atMs * 1e6);
}

function reported(): SharedRecords[] {
  return sent.map((xml) => {
    const records = parseSharedRecords(xml);
    if (!records) throw new Error(`not understood: ${xml}`);
    return records;
  });
}

test('records go out four times a second, none twice and none left out', () => {
  for (let batch = 0; batch < 6; batch++) {
    const first = batch * 15;
    share(1000 + batch * 250, { submitted: range(first, first + 13), missed: [first + 14] });
  }
  expect(reported().length).toBeGreaterThanOrEqual(5);
  expect(reported().length).toBeLessThanOrEqual(8);
  expect(reported()[0]).toMatchObject({ senderId: 3, sourceId: 4711, startNs: 5e9, boot: 'f00-1' });
  const numbers = reported().flatMap(({ submitted, missed }) => [...submitted, ...missed.frameNumber]);
  expect(numbers.sort((a, b) => a - b)).toEqual(range(0, numbers.length - 1));
  for (const { submitted, beginUs } of reported())
    expect([...beginUs]).toEqual([...submitted].map((slot) => Math.round((slot * 33_333_333) / 1000)));
});

test('misses and late slots are reported with their causes', () => {
  share(1000, {
    ...{ submitted: [1, 2, 4], missed: [3], missCause: MissCause.SendBlocked, cpuPercent: 93.4 },
    ...{ slots: [1, 2, 3, 4], late: new Map([[2, LateCause.Disk]]) },
  });
  const [records] = reported();
  expect(records?.missed).toEqual({
    frameNumber: Uint32Array.of(3),
    cause: Uint8Array.of(MissCause.SendBlocked),
  });
  expect(records?.late).toEqual({ frameNumber: Uint32Array.of(2), cause: Uint8Array.of(LateCause.Disk) });
  expect(records).toMatchObject({ load: { cpuPercent: 93.4, gpuPercent: null }, overflowed: 0 });
});

test('frames that a fault leaves out or spoils are named; a repeated one was sent as it is', () => {
  sharing.setFaults([
    { verb: 'skip', first: 2, last: 4 },
    { verb: 'tear', first: 6, last: 6 },
    { verb: 'repeat', first: 8, last: 8 },
  ]);
  // One that was missed anyway was not left out by the fault.
  share(1000, { submitted: [1, 2, 4, 5, 6, 7, 8], missed: [3], missCause: MissCause.SenderLate });
  const { Skipped, Spoilt } = InjectedFault;
  expect(reported()[0]?.injected).toEqual({
    frameNumber: Uint32Array.of(2, 4, 6),
    cause: Uint8Array.of(Skipped, Skipped, Spoilt),
  });
});

test('slots that were late before this sender was there are not its own', () => {
  const late = new Map([
    [4294967290, LateCause.Disk],
    [4294967294, LateCause.Decode],
    [1, LateCause.Disk],
  ]);
  share(1000, { slots: [4294967290, 4294967294, 1], late, firstSlot: 2 ** 33 - 5 });
  expect([...(reported()[0]?.late.frameNumber ?? [])].sort()).toEqual([1, 4294967294]);
});

test('a sender that sends nothing still reports what it missed, and its load', () => {
  share(1000, { missed: [1, 2], cpuPercent: 99 });
  share(2000, { missed: [3, 4], cpuPercent: 100 });
  share(3000, { cpuPercent: 50 });
  expect(reported().map(({ missed, load }) => [[...missed.frameNumber], load?.cpuPercent])).toEqual([
    [[1, 2], 99],
    [[3, 4], 100],
    [[], 50],
  ]);
});

test('each load is reported once, with when it was measured: an engine that stands still has no new one', () => {
  share(1000, { cpuPercent: 56 });
  for (let second = 2; second <= 13; second++) share(1000 * second, {});
  share(14_000, { cpuPercent: 20 });
  const loads = reported().map(({ load }) => load && [load.measuredNs, load.cpuPercent]);
  expect(loads).toEqual([[995e6, 56], ...Array.from({ length: 12 }, () => null), [13_995e6, 20]]);
});

test('records that the sender itself lost are reported', () => {
  share(1000, { overflowed: { submits: 1, misses: 20, source: 300 } });
  expect(reported()[0]?.overflowed).toBe(321);
});

test('more than fits in one message goes out in several', () => {
  const submitted = range(0, 2999).map((index) => index * 2);
  share(1000, { submitted, missed: [1, 3], slots: [0, 1], late: new Map([[1, LateCause.Disk]]) });
  expect(reported().length).toBe(Math.ceil(3003 / mostFramesToShare));
  for (const { submitted: numbers, missed, late } of reported())
    expect(numbers.length + missed.cause.length + late.cause.length).toBeLessThanOrEqual(mostFramesToShare);
  expect(reported().flatMap((records) => [...records.submitted])).toEqual(submitted);
  expect(reported().flatMap((records) => [...records.missed.frameNumber])).toEqual([1, 3]);
  expect(reported().flatMap((records) => [...records.late.frameNumber])).toEqual([1]);
});

test('no one listens: what is kept stays small, and what comes later gets the newest', () => {
  for (let batch = 0; batch < 1000; batch++) {
    const slots = range(batch * 6, batch * 6 + 5);
    const late = new Map(slots.map((slot) => [slot, LateCause.Disk]));
    share(batch * 100, { submitted: slots, missed: slots, slots, late, connections: 0 });
  }
  expect(sent).toEqual([]);
  share(100_000, { submitted: [6000] });
  // Half a minute of 60 frames a second.
  const numbers = reported().flatMap(({ submitted }) => [...submitted]);
  expect(numbers).toEqual(range(4200, 6000));
  expect(reported().flatMap(({ missed }) => [...missed.frameNumber])).toEqual(range(4200, 5999));
  expect(reported().flatMap(({ late }) => [...late.frameNumber])).toEqual(range(4200, 5999));
});

test.each([
  ['comes back', 0, 1],
  ['comes beside another one', 1, 2],
  ['takes the place of another one', 1, 1],
])('a receiver that %s is reported the newest half minute again', (_, meanwhile, afterwards) => {
  for (let batch = 0; batch < 500; batch++)
    share(batch * 100, { submitted: [2 * batch], missed: [2 * batch + 1], connections: 1 });
  share(50_000, { submitted: [1000], connections: meanwhile });
  sent = [];
  arrivals += 1;
  share(50_300, { submitted: [1001], connections: afterwards });
  expect(reported().flatMap(({ submitted }) => [...submitted])).toEqual([
    ...range(203, 499).map((batch) => 2 * batch),
    1000,
    1001,
  ]);
  expect(reported().flatMap(({ missed }) => [...missed.frameNumber])).toEqual(
    range(203, 499).map((batch) => 2 * batch + 1),
  );
  sent = [];
  share(50_600, { submitted: [1002], connections: afterwards });
  expect(reported().flatMap(({ submitted }) => [...submitted])).toEqual([1002]);
});

test('the name of this start of this machine is what the kernel says', () => {
  expect(bootId()).toMatch(/^[0-9a-f-]{36}$/);
});

test('what the machine is goes to each that connects, and to all when it is reported anew', () => {
  const environment = ['<whiteline_environment part="1"/>', '<whiteline_environment part="2"/>'];
  const reportedAt = (atMs: number, batch: Batch): string[] => {
    sent = [];
    share(atMs, batch);
    return sent.filter((xml) => xml.startsWith('<whiteline_environment'));
  };
  expect(reportedAt(1000, { connections: 0, environment })).toEqual([]);
  expect(reportedAt(1100, { connections: 1, environment })).toEqual(environment);
  expect(reportedAt(1200, { connections: 1, environment })).toEqual([]);
  expect(reportedAt(1300, { connections: 2, environment })).toEqual(environment);
  expect(reportedAt(1400, { connections: 1, environment })).toEqual([]);
  const anew = ['<whiteline_environment part="3"/>'];
  expect(reportedAt(1500, { connections: 1, environment: anew })).toEqual(anew);
});
