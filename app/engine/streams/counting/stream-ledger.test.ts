import { describe, expect, test } from 'vitest';
import { frameNumbers } from '../../../facts/figure';
import { noSpoilt } from '../../../facts/spoilt';
import { LateCause, MissCause, PictureStatus } from '../../../protocol/records';
import { captures, misses, range, sourceRecords, submits } from '../../../testing/columns';
import { figures, frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { SharedClock } from '../clocks/release-clock';
import { farthestJump } from './schedule';

const clean = {
  ...{
    scheduled: 120,
    submitted: 120,
    missed: 0,
    late: 0,
    lateDisk: 0,
    lateDecode: 0,
    lateDamaged: 0,
    captured: 120,
    received: 120,
    dropped: 0,
    queue: 0,
  },
  ...{
    duplicated: 0,
    reordered: 0,
    ...noSpoilt(),
    matched: 0,
    unmatched: 0,
    wrongSource: 0,
    stalls: 0,
    conserved: true,
  },
};

/** Counts of slots 60 to 179 of a stream that begins before and goes on after them. */
function counted(play: (stream: TestStream) => void, sent: Parameters<TestStream['send']>[2] = {}) {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 239, sent);
  play(stream);
  return stream.close(counter, 179);
}

describe('counts of one row', () => {
  test('clean', () => {
    const counts = counted((stream) => stream.receive(0, 239));
    expect(figures(counts)).toEqual(clean);
    expect(counts.longestGapMs).toBeCloseTo(1000 / 60, 3);
  });

  test('dropped: submitted and not seen', () => {
    const lost = [60, 100, 101, 102, 179];
    const counts = counted((stream) => stream.receive(0, 239, lost));
    expect(figures(counts)).toEqual({ ...clean, captured: 115, received: 115, dropped: 5 });
    expect(frameNumbers(counts.tally.droppedFrames.ranges)).toEqual(lost);
    expect(counts.longestGapMs).toBeCloseTo(4000 / 60, 3);
  });

  test('missed: never submitted, with its cause', () => {
    const missed = [70, 71, 72];
    const counts = counted((stream) => stream.receive(0, 239, missed), {
      missed,
      cause: MissCause.SendBlocked,
    });
    expect(figures(counts)).toEqual({ ...clean, submitted: 117, missed: 3, captured: 117, received: 117 });
    expect(frameNumbers(counts.tally.missedFrames.ranges)).toEqual(missed);
    expect(counts.tally.missCauses.SendBlocked).toBe(3);
  });

  test('late source: submitted with the picture before', () => {
    const counts = counted((stream) => stream.receive(0, 239), { late: [59, 90, 91, 180] });
    expect(figures(counts)).toEqual({ ...clean, late: 2 });
  });

  test('late source by cause: disk and decoding distinguished, what was damaged, and what a command does not report', () => {
    const { Disk, Decode, Damaged, Command } = LateCause;
    const late = new Map<number, number>([
      [59, Disk],
      ...range(60, 62).map((slot) => [slot, Disk] as const),
      ...range(70, 71).map((slot) => [slot, Decode] as const),
      ...range(80, 84).map((slot) => [slot, Damaged] as const),
      ...range(178, 181).map((slot) => [slot, Command] as const),
    ]);
    const counts = counted((stream) => stream.receive(0, 239), { late });
    expect(figures(counts)).toEqual({ ...clean, late: 12, lateDisk: 3, lateDecode: 2, lateDamaged: 5 });
    expect(counts.tally.lateCauses.Command).toBe(2);
  });

  test('late source: of a slot that was missed nothing was shown again', () => {
    const late = new Map([[100, LateCause.Disk]]);
    const counts = counted((stream) => stream.receive(0, 239, [100]), { late, missed: [100] });
    expect(figures(counts)).toMatchObject({ missed: 1, late: 0, lateDisk: 0, conserved: true });
  });

  test('a cause without a late picture: the sums do not hold', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 179);
    const records = sourceRecords(range(0, 239));
    records.lateCause[100] = LateCause.Decode;
    stream.source.add(records);
    stream.ledger.addSubmits(submits(range(0, 239)));
    stream.receive(0, 239);
    expect(stream.close(counter, 179).conserved).toBe(false);
  });

  test('duplicated: a number seen before, at once or later', () => {
    const counts = counted((stream) => {
      stream.receive(0, 100);
      stream.capture(100);
      stream.capture(90);
      stream.receive(101, 239);
    });
    expect(figures(counts)).toEqual({ ...clean, captured: 122, duplicated: 2 });
  });

  test('reordered: late, received, and its gap is no loss', () => {
    const counts = counted((stream) => {
      stream.receive(0, 99);
      stream.receive(103, 104);
      stream.capture(102, { captureNs: frameNs(105) });
      stream.capture(100, { captureNs: frameNs(105) + 1 });
      stream.receive(105, 239);
    });
    expect(figures(counts)).toEqual({ ...clean, captured: 119, received: 119, dropped: 1, reordered: 2 });
    expect(frameNumbers(counts.tally.droppedFrames.ranges)).toEqual([101]);
  });

  test('torn and damaged: received, and distinguished', () => {
    const counts = counted((stream) => {
      stream.receive(0, 99);
      stream.capture(100, { status: PictureStatus.Torn });
      stream.capture(101, { status: PictureStatus.Damaged, codeHealth: 0.25 });
      stream.receive(102, 239);
    });
    expect(figures(counts)).toEqual({ ...clean, torn: 1, damaged: 1 });
  });

  test('a torn or damaged frame is lost for the verdict, and leaves no gap', () => {
    const { tally } = counted((stream) => {
      stream.receive(0, 99);
      stream.capture(100, { status: PictureStatus.Torn });
      stream.capture(101, { status: PictureStatus.Damaged });
      stream.receive(102, 239);
    });
    expect(tally).toMatchObject({
      spoilt: { torn: 1, damaged: 1 },
      lostFrames: 2,
      worstWindowLost: 2,
      dropped: 0,
    });
    expect(tally.worstWindow).toEqual({ first: 100, last: 101 });
    expect(tally.lost.listed.map(({ stage, first }) => [stage, first])).toEqual([
      ['torn', 100],
      ['damaged', 101],
    ]);
    expect(tally.lost.gapHistogram.of1 + tally.lost.gapHistogram.of2).toBe(0);
  });

  test('the first picture of a number decides: a copy changes nothing, neither for the better nor for the worse', () => {
    const counts = counted((stream) => {
      stream.receive(0, 100);
      stream.capture(100, { status: PictureStatus.Torn });
      stream.capture(101, { status: PictureStatus.Damaged });
      stream.capture(101);
      stream.receive(102, 239);
    });
    expect(figures(counts)).toMatchObject({ torn: 0, damaged: 1, duplicated: 2 });
    expect(counts.tally).toMatchObject({ spoilt: { torn: 0, damaged: 1 }, lostFrames: 1 });
  });

  test('undecodable: matched to a gap, the picture too many is not', () => {
    const counts = counted((stream) => {
      stream.receive(0, 99);
      for (const slot of [100, 101, 102]) stream.blank(slot);
      stream.receive(102, 120);
      stream.blank(120);
      stream.receive(121, 239);
    });
    expect(figures(counts)).toEqual({ ...clean, captured: 122, matched: 2, unmatched: 2 });
  });

  test('undecodable in the place of a number that comes after all stands for nothing', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 179);
    stream.send(0, 299);
    stream.receive(0, 99);
    stream.blank(100);
    stream.receive(101, 110);
    stream.ledger.preview(counter, 105);
    stream.capture(100, { captureNs: frameNs(111) });
    stream.receive(111, 239);
    const counts = stream.close(counter, 179);
    expect(figures(counts)).toEqual({ ...clean, captured: 121, reordered: 1, unmatched: 1 });
  });

  test('undecodable where nothing was submitted is a picture too many', () => {
    const missed = [100];
    const counts = counted(
      (stream) => {
        stream.receive(0, 99);
        stream.blank(100);
        stream.receive(101, 239);
      },
      { missed },
    );
    expect(figures(counts)).toEqual({
      ...clean,
      ...{ submitted: 119, missed: 1, captured: 120, received: 119, unmatched: 1 },
    });
  });

  test('receiver queue: the smaller of gap and rise of the SDK’s counter, the rest is transport', () => {
    const counts = counted((stream) => {
      stream.receive(0, 99);
      stream.transportDropped = 2;
      stream.receive(105, 120);
      stream.transportDropped = 12;
      stream.receive(124, 139);
      stream.receive(141, 239);
    });
    expect(figures(counts)).toEqual({ ...clean, captured: 111, received: 111, dropped: 9, queue: 5 });
  });

  test('pictures of another source or sender are not counted, but reported', () => {
    const stream = new TestStream();
    const counter = stream.open(60, 179);
    stream.send(0, 239);
    stream.receive(0, 99);
    // In the time of no slot of the row.
    for (const slot of [20, 200]) stream.capture(slot, { sourceId: 9999 });
    stream.capture(100, { sourceId: 9999 });
    stream.capture(100, { senderId: 2 });
    stream.capture(100 + farthestJump + 1, { captureNs: frameNs(100) });
    stream.capture(100, { senderId: 0 });
    stream.receive(101, 239);
    expect(figures(stream.close(counter, 179))).toEqual({ ...clean, wrongSource: 3 });
    expect(stream.ledger.wrongSource).toBe(5);
  });

  test('the worst two seconds of a long row', () => {
    const stream = new TestStream();
    const counter = stream.open(0);
    stream.send(0, 1199);
    stream.receive(0, 1199, [10, 200, 400, 401, 519, 521, 900]);
    expect(stream.close(counter, 1199).tally.worstWindowLost).toBe(3);
  });
});

test('frame numbers may wrap in the middle of a row', () => {
  const first = 2 ** 32 - 60;
  const stream = new TestStream({ firstSlot: first });
  const counter = stream.open(first, first + 119);
  const slots = range(first, first + 119);
  for (const slot of slots) stream.source.assume(slot % 2 ** 32);
  stream.ledger.addSubmits(submits(slots.map((slot) => slot % 2 ** 32)));
  stream.receive(first, first + 119, [2 ** 32 - 1, 2 ** 32]);
  const counts = stream.close(counter, first + 119);
  expect(figures(counts)).toEqual({ ...clean, captured: 118, received: 118, dropped: 2 });
  expect(frameNumbers(counts.tally.droppedFrames.ranges)).toEqual([2 ** 32 - 1, 2 ** 32]);
});

test('serial arithmetic: reordered and duplicated numbers are distinguished across the wrap', () => {
  const first = 2 ** 32 - 60;
  const stream = new TestStream({ firstSlot: first });
  const counter = stream.open(first, first + 119);
  const slots = range(first, first + 119);
  for (const slot of slots) stream.source.assume(slot % 2 ** 32);
  stream.ledger.addSubmits(submits(slots.map((slot) => slot % 2 ** 32)));
  stream.receive(first, 2 ** 32 - 3);
  // 2³²−2 and 2³²−1 come behind 0, and 2³²−3 and 0 a second time.
  for (const slot of [2 ** 32, 2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 3, 2 ** 32])
    stream.capture(slot, { captureNs: frameNs(2 ** 32) + 3e6 });
  stream.receive(2 ** 32 + 1, first + 119);
  const counts = stream.close(counter, first + 119);
  expect(figures(counts)).toEqual({ ...clean, captured: 122, reordered: 2, duplicated: 2 });
  expect(counts.tally.lost.gapHistogram.of1).toBe(0);
});

test('restarted: a new source id is no reorder, and its pictures count nowhere but as a wrong source', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 119);
  stream.receive(0, 119);
  // The sender was started again and counts from 0.
  for (const slot of range(0, 59)) stream.capture(slot, { sourceId: 4712, captureNs: frameNs(120 + slot) });
  const counts = stream.close(counter, 179);
  expect(counts).toMatchObject({
    reordered: 0,
    duplicated: 0,
    received: 60,
    wrongSource: 60,
    unrecorded: 60,
  });
});

test('restarted: the longest gap ends with the first picture of the sender that was started again', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 119);
  stream.receive(0, 119);
  for (const slot of range(0, 9))
    stream.capture(slot, { sourceId: 4712, captureNs: frameNs(149 + slot) + 2e6 });
  expect(stream.close(counter, 179).longestGapMs).toBeCloseTo(30_000 / 60, 3);
});

test('records of the stages may come in any order', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.receive(0, 239, [99, 100]);
  stream.ledger.addMisses(misses([99]));
  stream.ledger.addSubmits(submits(range(0, 239).filter((slot) => slot !== 99)));
  stream.source.add(sourceRecords(range(0, 239)));
  expect(figures(stream.close(counter, 179))).toEqual({
    ...clean,
    ...{ submitted: 119, missed: 1, captured: 118, received: 118, dropped: 1 },
  });
});

test('a record reported twice breaks the sums, and they say so', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.send(0, 239);
  stream.ledger.addSubmits(submits([100]));
  stream.receive(0, 239);
  expect(stream.close(counter, 179).conserved).toBe(false);
});

test('a slot that no one reported of breaks the sums, and they say so', () => {
  const stream = new TestStream();
  const counter = stream.open(60, 179);
  stream.source.add(sourceRecords(range(0, 239)));
  stream.ledger.addSubmits(submits(range(0, 239).filter((slot) => slot !== 100)));
  stream.receive(0, 239, [100]);
  expect(stream.close(counter, 179).conserved).toBe(false);
});

test('a sender whose records are not known: what is absent counts as missing', () => {
  const stream = new TestStream({ firstSlot: 50, assumeSubmitted: true });
  const counter = stream.open(60, 179);
  stream.receive(50, 239, [70, 71, 90]);
  const counts = stream.close(counter, 179);
  expect(figures(counts)).toEqual({ ...clean, captured: 117, received: 117, dropped: 3 });
});

test('latency is the time from release to capture, also where the release time wraps at 2⁴⁸ µs', () => {
  const wallOffsetUs = 2 ** 48 - 1.5e6;
  const stream = new TestStream({ clock: new SharedClock(wallOffsetUs) });
  const counter = stream.open(0);
  stream.send(0, 119);
  for (const slot of range(0, 119)) {
    const releaseTimeUs = Math.round(frameNs(slot) / 1000 + wallOffsetUs) % 2 ** 48;
    stream.capture(slot, { releaseTimeUs, captureNs: frameNs(slot) + 5e6 });
  }
  stream.close(counter, 119);
  expect(counter.latency.count).toBe(120);
  expect(counter.negativeLatencies).toBe(0);
  expect(counter.latency.distribution().min).toBeCloseTo(5, 2);
  expect(counter.latency.distribution().max).toBeCloseTo(5, 2);
  const recentUs: number[] = [];
  stream.ledger.recentLatencies.since(frameNs(60), recentUs);
  expect(recentUs).toHaveLength(60);
  expect(Math.max(...recentUs)).toBeCloseTo(5000, 0);
});

test('a capture older than its release is no latency', () => {
  const stream = new TestStream();
  const counter = stream.open(0);
  stream.send(0, 0);
  stream.capture(0, { releaseTimeUs: frameNs(0) / 1000 + 10_000 });
  expect([counter.negativeLatencies, counter.latency.count]).toEqual([1, 0]);
});

test('records of numbers out of all reason take no memory', () => {
  const stream = new TestStream();
  stream.send(0, 9);
  stream.ledger.addSubmits(submits([farthestJump + 100]));
  stream.ledger.addMisses(misses([farthestJump + 100]));
  stream.ledger.addCaptures(captures([{ captureNs: 1, frameNumber: 2 ** 31 - 1 }]));
  expect(stream.ledger.anomalies).toBe(2);
  expect(stream.ledger.wrongSource).toBe(1);
});

test('a number that is ahead of its time is none of the sender’s, and nothing up to it is counted', () => {
  const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
  const counter = stream.open(0, 59);
  stream.receive(0, 29);
  for (const ahead of [2 ** 25, 2 ** 20, 5000]) {
    expect(stream.ledger.isWithinReach(29 + ahead, frameNs(30))).toBe(false);
    stream.capture(29 + ahead, { captureNs: frameNs(30) });
  }
  stream.receive(30, 89);
  expect(figures(stream.close(counter, 59))).toMatchObject({
    scheduled: 60,
    received: 60,
    wrongSource: 3,
  });
  expect(stream.ledger.wasSubmitted(29 + 5000)).toBe(false);
});

describe('undecodable pictures across the end of a row', () => {
  test('each stands for a number of the row in which it came', () => {
    const stream = new TestStream();
    const early = stream.open(60, 119);
    stream.send(0, 299);
    stream.receive(0, 109);
    for (const slot of range(110, 149)) stream.blank(slot);
    const counts = stream.ledger.close(early, 119);
    expect(figures(counts)).toMatchObject({ matched: 10, unmatched: 0, dropped: 0, conserved: true });
    const later = stream.open(120, 239);
    for (const slot of range(150, 159)) stream.blank(slot);
    stream.receive(160, 299);
    const next = stream.ledger.close(later, 239);
    expect(figures(next)).toMatchObject({ matched: 40, unmatched: 0, dropped: 0, conserved: true });
  });

  test('one too many in its row stays there, however late the row is closed', () => {
    const stream = new TestStream();
    const early = stream.open(60, 119);
    stream.send(0, 299);
    stream.receive(0, 110);
    stream.blank(110);
    for (const slot of range(111, 139)) stream.blank(slot);
    expect(figures(stream.ledger.close(early, 119))).toMatchObject({ matched: 9, unmatched: 1, dropped: 0 });
    const later = stream.open(120, 239);
    stream.receive(140, 299);
    expect(figures(stream.ledger.close(later, 239))).toMatchObject({ matched: 20, unmatched: 0, dropped: 0 });
  });

  test('the live view reports them while they last', () => {
    const stream = new TestStream();
    const live = stream.open(60);
    stream.send(0, 299);
    stream.receive(0, 109);
    for (const slot of range(110, 299)) stream.blank(slot);
    expect(figures(stream.ledger.preview(live, 239))).toMatchObject({ matched: 130, dropped: 0 });
    stream.send(300, 399);
    stream.receive(300, 399);
    expect(figures(stream.ledger.preview(live, 339))).toMatchObject({
      matched: 190,
      unmatched: 0,
      dropped: 0,
    });
  });

  test('one too many of a sender elsewhere counts in each range that was open, whichever closes first', () => {
    const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
    const [longer, early] = [stream.open(60, 239), stream.open(60, 119)];
    stream.receive(0, 70);
    stream.capture(0, { captureNs: frameNs(70) + 8e6, status: PictureStatus.Undecodable });
    stream.receive(71, 299);
    expect(figures(stream.close(early, 119))).toMatchObject({ matched: 0, unmatched: 1, dropped: 0 });
    expect(figures(stream.close(longer, 239))).toMatchObject({ matched: 0, unmatched: 1, dropped: 0 });
  });
});

test('a stall ends with any picture, one that was seen before too', () => {
  const counts = counted((stream) => {
    stream.receive(0, 99);
    stream.capture(99, { captureNs: frameNs(145) });
    stream.receive(146, 239);
  });
  expect(figures(counts)).toMatchObject({ stalls: 1, duplicated: 1, dropped: 46 });
});

test('a stall reaches to the end of the range, though pictures come again before the range is closed', () => {
  const stream = new TestStream();
  const counter = stream.open(0, 119);
  stream.send(0, 239);
  stream.receive(0, 59);
  stream.receive(180, 239);
  expect(figures(stream.close(counter, 119))).toMatchObject({ stalls: 1, received: 60, dropped: 60 });
});

test('the live view counts what is reported of a time long ago, as behind a link that was down', () => {
  const stream = new TestStream();
  const live = stream.open(0);
  const look = (last: number) => figures(stream.ledger.preview(live, last));
  stream.send(0, 99);
  stream.receive(0, 99);
  for (const last of range(100, 1500)) if (last % 15 === 0) look(last);
  stream.send(100, 1599);
  stream.receive(1500, 1599);
  expect(look(1540)).toMatchObject({ submitted: 1541, dropped: 1400 });
  expect(look(3000)).toMatchObject({ submitted: 1600, dropped: 1400 });
});
