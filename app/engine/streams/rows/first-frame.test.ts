import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OutageBench } from '../../../testing/outage-bench';
import type { SenderKind } from '../../../testing/remote-sender';

let bench: OutageBench;

beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

/** What a watch says of a sender of this kind, and what its strip does; null: none is there. */
async function watched(kind: SenderKind | null, comesAfter = 0) {
  await bench.follow(kind ?? 'coded', false);
  const run = await bench.watch([]);
  await bench.pass(comesAfter);
  if (kind) bench.sender.comeBack();
  await bench.pass(25 - comesAfter);
  const [strip] = bench.shown;
  if (!strip) throw new Error('there is no strip');
  const { rows, verdict } = await run.end();
  return { verdict, rows, strip, connectMs: strip.connectMs };
}

const only = (kind: string): RegExp =>
  new RegExp(`^only ${kind} arrived: they carry no frame code, so no frame was counted$`);

describe('a picture of any kind is the first one of its sender', () => {
  test.each<[SenderKind, string, RegExp]>([
    ['coded', 'PASS', /^no frame lost/],
    ['foreign', 'PASS', /^no frame missing/],
    ['black', 'INVALID', only('black pictures')],
    ['placeholder', 'INVALID', only('the SDK’s placeholder for what it cannot decode')],
  ])('%s', async (kind, verdict, reason) => {
    const { rows, strip, ...run } = await watched(kind);
    expect(run.verdict).toBe(verdict);
    expect(run.connectMs).toBeLessThan(500);
    for (const row of rows) {
      expect([row.verdict, row.reason]).toEqual([verdict, expect.stringMatching(reason)]);
      expect(row.perStream[0]?.connectMs).toBeCloseTo(run.connectMs ?? 0, 6);
    }
    expect(strip.verdict).toBe(verdict);
    if (verdict === 'INVALID') {
      expect(strip.reason).toMatch(reason);
      expect(strip).toMatchObject({ state: 'undecodable', lostTotal: null, framesReceived: null });
      const [stream] = rows[0]?.perStream ?? [];
      expect(stream?.notMeasured.framesReceived).toMatch(/^pictures came, but none by which/);
    }
  });

  test('none at all', async () => {
    const { rows, strip, verdict, connectMs } = await watched(null);
    expect([verdict, strip.verdict, connectMs]).toEqual(['FAIL', 'FAIL', null]);
    for (const row of rows) expect(row.reason).toMatch(/^no frame within 10 s of adding x1/);
  });

  test('black ones that came too late: the rows after that are not counted', async () => {
    const { rows, strip } = await watched('black', 14);
    expect(rows.map(({ verdict }) => verdict)).toEqual(['FAIL', 'INVALID']);
    // The strip is of the whole time.
    expect(strip.verdict).toBe('FAIL');
  });

  test.each<[SenderKind, number]>([
    ['coded', 9.6],
    ['foreign', 9.6],
    ['foreign', 8],
  ])('%s that comes after %f s is in time, and counted', async (kind, after) => {
    const { rows, strip } = await watched(kind, after);
    expect(rows.map(({ verdict }) => verdict)).not.toContain('INVALID');
    expect([rows[0]?.verdict, strip.verdict]).toEqual(['PASS', 'PASS']);
  });
});
