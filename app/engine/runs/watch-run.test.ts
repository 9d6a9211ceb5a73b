import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultThresholds } from '../../protocol/thresholds';
import { FakeApplication } from '../../testing/fake-application';
import { loadSample } from '../../testing/load-sample';
import { namedStreams, type Row } from '../../testing/named-rows';
import { RemoteSender } from '../../testing/remote-sender';
import { SimulatedClock } from '../../testing/simulated-clock';
import { StandstillLog } from '../load/standstills';
import { WatchSet } from '../streams/watch-set';
import { rowEndNs, rowsIn, type StateChange, WatchRun } from './watch-run';

/** As a machine's: each look at it is later than the one before. */
class MovingClock extends SimulatedClock {
  private looks = 0;

  override monotonicNs(): number {
    return super.monotonicNs() + 1000 * ++this.looks;
  }
}

let clock: SimulatedClock;
let application: FakeApplication;
let set: WatchSet;
let sender: RemoteSender;
let run: WatchRun;
let abort: AbortController;
let rows: Row[];
let states: StateChange[];
let events: string[];
/** Of writing a row. */
let failure: Error | null;

beforeEach(async () => {
  clock = new MovingClock();
  application = new FakeApplication();
  [rows, states, events] = [[], [], []];
  failure = null;
  abort = new AbortController();
  const noteEvent = (kind: string): void => void events.push(kind);
  const standstills = new StandstillLog();
  set = new WatchSet({
    ...{ application, transport: { name: 'ndi', candidates: [] }, wallOffsetUs: 0, boot: '', clock },
    standstills,
    noteEvent,
  });
  await set.start();
  await set.followed.add('x');
  sender = new RemoteSender(clock, application);
  run = new WatchRun({
    ...{
      set: set.followed,
      isSenderRemote: true,
      thresholds: defaultThresholds,
      wallOffsetUs: 0,
      rowSeconds: 2,
      signal: abort.signal,
      clock,
      noteEvent,
    },
    onViews: () => undefined,
    onState: (change) => states.push(change),
    onRow: (row) => {
      if (failure) throw failure;
      rows.push(namedStreams(row));
    },
  });
  clock.every(500, () => run.addSample(loadSample({ atNs: clock.monotonicNs() })));
});

afterEach(() => {
  abort.abort();
  sender.close();
  set.close();
});

const seen = (): string[] => states.map(({ state }) => state);

describe('rows', () => {
  test('a row ends with the start of another sender, and the next one measures that one alone', async () => {
    const over = run.run(60);
    await clock.untilSo(() => seen().includes('receiving'));
    await clock.untilSo(() => (set.followed.streams[0]?.firstCaptureNs ?? 0) > 0);
    await clock.pass(800);
    const lastFrame = sender.fallSilent();
    await clock.untilSo(() => seen().includes('stalled'));
    sender.restart();
    await clock.untilSo(() => rows.length === 1);
    expect(events).toContain('sender-restarted');
    // The next row opens behind the new sender's warm-up.
    await clock.untilSo(() => seen().slice(-2).join() === 'warming-up,receiving');
    await clock.pass(800);
    abort.abort();
    await clock.until(over);
    expect(rows).toHaveLength(2);
    const { reason, isCut } = run.outcome(['x']);
    expect([isCut, reason]).toEqual([true, expect.stringMatching(/; stopped after \d\.\d of 60 s$/)]);
    const [first, second] = rows.map(({ perStream }) => perStream[0]);
    expect(first).toMatchObject({ framesReordered: 0, framesMissing: 0, framesDuplicated: 0 });
    expect(second).toMatchObject({ framesReordered: 0, framesMissing: 0, framesDuplicated: 0 });
    expect(first?.lastFrame).toBe(lastFrame);
    // The numbers of the second one begin anew.
    expect(second?.firstFrame).toBeLessThan(first?.lastFrame ?? 0);
    // How long the sender was away is an outage, and no connecting.
    expect(second?.connectMs).toBe(first?.connectMs);
    expect(states.at(-1)?.recoveredAfterMs).toBeGreaterThan(500);
  });

  test('one that could not be written fails the run, though those after it could', async () => {
    failure = new Error('the disk is full');
    const over = run.run(7);
    const ended = expect(over).rejects.toThrow('the disk is full');
    await clock.untilSo(() => seen().includes('receiving'));
    await clock.pass(3000);
    failure = null;
    await clock.until(ended);
    expect(rows.length).toBeGreaterThan(0);
  });

  test('a cut ends the row at that moment, and the next one has the frame behind it', async () => {
    const over = run.run(60);
    await clock.untilSo(() => seen().includes('receiving'));
    await clock.pass(900);
    await clock.until(run.cut());
    expect(rows).toHaveLength(1);
    await clock.pass(900);
    await clock.until(run.cut());
    abort.abort();
    await clock.until(over);
    const [first, second] = rows.map(({ perStream }) => perStream[0]);
    expect([first?.framesMissing, second?.framesMissing]).toEqual([0, 0]);
    expect(second?.firstFrame).toBe((first?.lastFrame ?? 0) + 1);
  });

  test('a row waits for a stream that is silent at its end, so that what was lost is in it', async () => {
    const over = run.run(4);
    await clock.untilSo(() => seen().includes('receiving'));
    await clock.pass(1000);
    sender.fallSilent();
    await clock.pass(1500);
    sender.comeBack();
    await clock.until(over);
    const stream = rows[0]?.perStream[0];
    expect(rows[0]?.measuredSeconds).toBeGreaterThan(2.3);
    expect(stream?.stalls).toBe(1);
    expect(stream?.framesMissing).toBeGreaterThan(80);
    expect(stream?.framesMissing).toBe(
      (stream?.lastFrame ?? 0) - (stream?.firstFrame ?? 0) + 1 - (stream?.framesReceived ?? 0),
    );
  });

  test('a row that has waited goes on to the end where too little is left for another one', async () => {
    const over = run.run(3.4);
    await clock.untilSo(() => seen().includes('receiving'));
    await clock.pass(1000);
    sender.fallSilent();
    await clock.pass(1800);
    sender.comeBack();
    await clock.until(over);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.measuredSeconds).toBeCloseTo(3.4, 1);
    expect(run.outcome(['x']).isCut).toBe(false);
  });
});

test('a time between one row and two is divided as it is announced', async () => {
  const over = run.run(3);
  await clock.until(over);
  expect(rows).toHaveLength(rowsIn(3, 2));
  for (const { measuredSeconds } of rows) expect(measuredSeconds).toBeCloseTo(1.5, 1);
});

test.each([
  [2, [2]],
  [10, [10]],
  [12, [12]],
  [14.9, [14.9]],
  [15, [7.5, 7.5]],
  [19, [9.5, 9.5]],
  [25, [25 / 3, 25 / 3, 25 / 3]],
  [60, [10, 10, 10, 10, 10, 10]],
])('%f s are divided into rows without a stub', (seconds, lengths) => {
  const endNs = 5e9 + seconds * 1e9;
  const found: number[] = [];
  for (let fromNs = 5e9; fromNs < endNs; ) {
    const toNs = rowEndNs(fromNs, endNs, 10e9);
    found.push((toNs - fromNs) / 1e9);
    fromNs = toNs;
  }
  expect(found).toHaveLength(lengths.length);
  for (const [index, length] of lengths.entries()) expect(found[index]).toBeCloseTo(length, 6);
});

test('without an end a row has its usual length; after one that waited, what is left is divided anew', () => {
  expect(rowEndNs(5e9, Number.POSITIVE_INFINITY, 10e9)).toBe(15e9);
  expect(rowEndNs(18e9, 30e9, 10e9)).toBe(30e9);
});
