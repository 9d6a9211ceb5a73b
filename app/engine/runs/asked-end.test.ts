import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutageBench } from '../../testing/outage-bench';

/** A sender that ends as asked says so before it closes: nothing is due from then on. One that is killed says nothing. */
let bench: OutageBench;

beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

const kinds = (): string[] => bench.events.map(({ kind }) => kind);

/** As a sender does: its newest records come after it. */
async function endAsAsked(index = 0): Promise<number> {
  const sender = bench.senders[index];
  if (!sender) throw new Error(`no sender ${index}`);
  const before = sender.sayEnd();
  await bench.pass(0.75);
  sender.vanish();
  return before;
}

test('the row ends with the last frame that was due, and nothing is estimated', async () => {
  const run = await bench.watch(['recorded']);
  await bench.pass(8);
  const before = await endAsAsked();
  await bench.pass(30);
  const [strip] = bench.shown;
  const { verdict, reason, rows } = await run.end();
  expect([verdict, reason]).toEqual([
    'PASS',
    expect.stringMatching(
      /^1 row of x, no frame lost; the sender of x1 ended as asked at \d\d:\d\d:\d\d UTC$/,
    ),
  ]);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.perStream[0]).toMatchObject({ lastFrame: before - 1, framesDropped: 0 });
  expect(rows[0]?.perStream[0]?.outages ?? []).toEqual([]);
  expect(strip).toMatchObject({ lostTotal: 0, framesInOutages: null, verdict: 'PASS' });
  expect(strip?.stateText).toMatch(/^its sender ended as asked at /);
  expect(kinds()).toContain('sender-ended');
  for (const kind of ['stream-stalled', 'stream-state', 'stream-recovered'])
    expect(kinds()).not.toContain(kind);
});

test('frames lost before the end are counted, and no others', async () => {
  const run = await bench.watch(['recorded']);
  await bench.pass(4);
  const next = Math.round(60 * 4);
  for (const frame of [next + 60, next + 61]) bench.sender.lost.add(frame);
  await bench.pass(4);
  await endAsAsked();
  await bench.pass(15);
  const { verdict, rows } = await run.end();
  expect(verdict).toBe('FAIL');
  expect(rows.map(({ perStream }) => perStream[0]?.framesDropped)).toEqual([2]);
});

test('frames that were due before the end and never came are lost', async () => {
  const run = await bench.watch(['recorded']);
  await bench.pass(8);
  const newest = bench.sender.fallSilent();
  bench.sender.comeBack();
  for (const ahead of [1, 2, 3]) bench.sender.lost.add(newest + ahead);
  await bench.pass(0.05);
  const before = await endAsAsked();
  await bench.pass(15);
  const { verdict, rows } = await run.end();
  expect(verdict).toBe('FAIL');
  expect(before).toBe(newest + 4);
  expect(rows.map(({ perStream }) => perStream[0]?.framesDropped)).toEqual([3]);
});

test('one that is started again is counted from its first picture, and the time between is no outage', async () => {
  const run = await bench.watch(['recorded']);
  await bench.pass(8);
  await endAsAsked();
  await bench.pass(12);
  bench.sender.restart();
  await bench.pass(13);
  const [strip] = bench.shown;
  const { verdict, rows } = await run.end();
  expect(verdict).toBe('PASS');
  expect(rows.length).toBeGreaterThan(1);
  for (const { perStream } of rows) expect(perStream[0]?.outages ?? []).toEqual([]);
  expect(strip).toMatchObject({ state: 'receiving', lostTotal: 0, verdict: 'PASS' });
  expect(strip?.framesInOutages ?? 0).toBe(0);
  expect(kinds()).toContain('sender-restarted');
});

test('the others go on in rows of their own', async () => {
  const run = await bench.watch(['recorded', 'recorded']);
  await bench.pass(5);
  await endAsAsked();
  await bench.pass(12);
  const { verdict, rows } = await run.end();
  expect(verdict).toBe('PASS');
  expect(rows[0]?.perStream.map(({ name }) => name)).toEqual(['x1', 'x2']);
  expect(rows.slice(1).map(({ perStream }) => perStream.map(({ name }) => name))).toEqual(
    rows.slice(1).map(() => ['x2']),
  );
});

test('one that vanishes without a word is an outage', async () => {
  const run = await bench.watch(['recorded']);
  await bench.pass(8);
  bench.sender.vanish();
  await bench.pass(15);
  const { verdict, reason } = await run.end();
  expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/no new picture for/)]);
});
