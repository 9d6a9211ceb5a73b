import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultThresholds } from '../../protocol/thresholds';
import type { Row } from '../../testing/named-rows';
import { type Ended, OutageBench } from '../../testing/outage-bench';
import type { SenderKind } from '../../testing/remote-sender';
import { temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
let bench: OutageBench;
let runs = 0;

beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

interface Run {
  end(): Promise<Ended>;
}

const kindsOfRun = {
  'a live run': (kinds: SenderKind[]): Promise<Run> => bench.live(join(folder, `run-${++runs}`), kinds),
  'a watch': (kinds: SenderKind[]): Promise<Run> => bench.watch(kinds),
};

/** What rows say of the outages of one stream: lost frames that were counted and estimated, and seconds. */
function costOf(rows: readonly Row[], name = 'x1') {
  const streams = rows.flatMap(({ perStream }) => perStream.filter((stream) => stream.name === name));
  const counted = streams.map(({ framesDropped, framesMissing }) => framesDropped ?? framesMissing ?? 0);
  const outages = streams.flatMap((stream) => stream.outages ?? []);
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    frames: sum(counted) + sum(outages.map(({ framesEstimated }) => framesEstimated ?? 0)),
    estimated: sum(outages.map(({ framesEstimated }) => framesEstimated ?? 0)),
    outageSeconds: sum(outages.map(({ seconds }) => seconds)),
    longestGapMs: Math.max(...streams.map(({ longestGapMs }) => longestGapMs ?? 0)),
  };
}

/** Every moment between the first row and the last is in a row, or nothing was lost in it. */
function expectFail({ verdict, reason, rows }: Ended): void {
  expect([verdict, reason]).toEqual(['FAIL', expect.stringMatching(/no new picture for|missing|dropped/)]);
  expect(rows.some((row) => row.verdict === 'FAIL')).toBe(true);
  expect(reason).not.toMatch(/submit|within 10 s of adding/);
}

test('a row in which a sender was away and came back says where the pictures of its next start count', async () => {
  const run = await bench.watch(['coded']);
  await bench.pass(8);
  bench.sender.vanish();
  await bench.pass(14);
  bench.sender.restart();
  await bench.pass(8);
  const { rows } = await run.end();
  const away = rows.flatMap(({ perStream }) =>
    perStream.filter(({ framesReceived }) => framesReceived === 0),
  );
  expect(away.length).toBeGreaterThan(0);
  for (const { notMeasured } of away)
    expect(notMeasured.codeHealthMin).toMatch(
      /; those of its next start are counted from its first picture, /,
    );
});

describe.each(Object.entries(kindsOfRun))('%s', (_, start) => {
  const kinds: SenderKind[] = ['coded', 'recorded', 'foreign'];

  test.each(kinds)('of a sender that is always there passes (%s)', async (kind) => {
    const run = await start([kind]);
    await bench.pass(25);
    const { verdict, reason, rows } = await run.end();
    const nothing = kind === 'foreign' ? 'no frame missing' : 'no frame lost';
    expect([verdict, reason]).toEqual(['PASS', expect.stringContaining(nothing)]);
    for (const row of rows) expect([row.verdict, row.label]).toEqual(['PASS', '']);
  });

  describe.each(kinds)('a sender (%s)', (kind) => {
    test.each([0.6, 10, 60])('that is away for %d s and comes back', async (seconds) => {
      const run = await start([kind]);
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(seconds);
      bench.sender.comeBack();
      await bench.pass(8);
      const [strip] = bench.shown;
      const ended = await run.end();
      expectFail(ended);
      const { frames } = costOf(ended.rows);
      expect(Math.abs(frames - seconds * 60)).toBeLessThan(2);
      expect(strip).toMatchObject({ state: 'receiving', verdict: 'FAIL' });
    });

    test.each([0.2, 10, 33])('that is started again after %d s', async (seconds) => {
      const run = await start([kind]);
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(seconds);
      bench.sender.restart();
      await bench.pass(8);
      const [strip] = bench.shown;
      const ended = await run.end();
      expectFail(ended);
      const { frames } = costOf(ended.rows);
      expect(Math.abs(frames - seconds * 60)).toBeLessThan(2);
      expect(strip).toMatchObject({ state: 'receiving', verdict: 'FAIL' });
      const lost = (strip?.framesInOutages ?? 0) + (strip?.lostTotal ?? 0);
      expect(Math.abs(lost - seconds * 60)).toBeLessThan(2);
      expect(strip?.longestGapMs).toBeGreaterThan(seconds * 1000 - 20);
    });

    test('that loses frames just after it was started again, before the next row opens, has them in a row', async () => {
      const run = await start([kind]);
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(5);
      for (const frame of [20, 21, 22]) bench.sender.lost.add(frame);
      bench.sender.restart();
      await bench.pass(8);
      const { rows } = await run.end();
      const { frames, estimated } = costOf(rows);
      expect([frames, estimated]).toEqual([303, 300]);
      const withLoss = rows.filter((row) => costOf([row]).frames > costOf([row]).estimated);
      expect(withLoss.map(({ label }) => label)).toEqual(['between rows']);
    });

    test.each([12, 25])(
      'that is started again after %d s was away as long everywhere (V17)',
      async (away) => {
        const run = await start([kind]);
        await bench.pass(8);
        const connectMs = bench.shown[0]?.connectMs;
        bench.sender.vanish();
        await bench.pass(away);
        // Nothing is counted meanwhile; what is due each second is known.
        expect(bench.shown[0]?.lostNow ?? 0).toBe(0);
        expect(bench.shown[0]?.lostNowInOutage).toBe(60);
        bench.sender.restart();
        await bench.pass(8);
        const [strip] = bench.shown;
        expect(strip?.lostNowInOutage).toBeNull();
        const { rows, reason } = await run.end();
        // From the last picture before it to the first one after it: 17 ms more than the frames that were due lasted.
        const lengthMs = away * 1000 + 1000 / 60;
        const isLong = (milliseconds: number | null | undefined) =>
          expect(Math.abs((milliseconds ?? 0) - lengthMs)).toBeLessThan(1);
        isLong(strip?.recoveredAfterMs);
        isLong(strip?.longestGapMs);
        isLong(1000 * costOf(rows).outageSeconds);
        // The estimate stands beside what was counted, and in no count.
        expect(costOf(rows)).toMatchObject({ frames: away * 60, estimated: away * 60 });
        expect(strip).toMatchObject({ lostTotal: 0, framesInOutages: away * 60 });
        expect(strip?.reason).toMatch(new RegExp(`no new picture for ${away}\\.0 s`));
        expect(reason).toMatch(new RegExp(`all rows: .*1 outage of ${away}\\.0 s, about \\d+ frames`));
        const said = bench.events.map(({ text }) => text).join('\n');
        if (away < 20) expect(said).toMatch(new RegExp(`x1: pictures again after ${away}\\.0 s`));
        // That is no time of connecting.
        expect(strip?.connectMs).toBe(connectMs);
        expect(said).toMatch(/x1: followed anew, /);
        expect(said.match(/first picture after/g)).toHaveLength(1);
      },
    );

    test.each([
      [0.0083, 0],
      [0.0073, 0.009],
    ])(
      'that costs as many frames in all rows together as anywhere else: rows %d s, its end %d s beside a frame',
      async (later, end) => {
        bench.laterSeconds = later;
        const run = await start([kind]);
        await bench.pass(8 + end);
        bench.sender.vanish();
        await bench.pass(25);
        bench.sender.restart();
        await bench.pass(8);
        const [strip] = bench.shown;
        const { rows } = await run.end();
        const cost = costOf(rows);
        const whole = Math.round(cost.outageSeconds * 60) - 1;
        expect(cost).toMatchObject({ frames: whole, estimated: whole });
        expect(strip?.framesInOutages).toBe(whole);
      },
    );

    test('whose pictures take 150 ms costs no more when it is started again than was due meanwhile', async () => {
      const run = await start([kind]);
      bench.sender.latencyNs = 150e6;
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(1.15);
      bench.sender.restart();
      await bench.pass(8);
      const { rows } = await run.end();
      const { estimated, outageSeconds } = costOf(rows);
      expect(outageSeconds).toBeGreaterThan(1.1);
      expect(Math.abs(estimated - outageSeconds * 60)).toBeLessThanOrEqual(1.01);
    });

    test('whose outage goes through several rows has its whole length in the reason', async () => {
      const run = await start([kind]);
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(17);
      bench.sender.comeBack();
      await bench.pass(25);
      const ended = await run.end();
      expectFail(ended);
      expect(ended.reason).toMatch(/17\.\d s|longest gap 170\d\d ms/);
    });

    test('that never comes back', async () => {
      const run = await start([kind]);
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(40);
      const [strip] = bench.shown;
      expect(strip?.verdict).toBe('FAIL');
      expect(strip?.reason).toMatch(
        /no new picture for \d\d\.\d s.* about 2\d\d\d frames at 60 fps \(an estimate\)/,
      );
      const ended = await run.end();
      expectFail(ended);
      expect(costOf(ended.rows).estimated).toBeGreaterThan(39 * 60);
      expect(ended.reason).toMatch(/, not over at the end of the row: /);
    });

    test('that is away when the run is stopped', async () => {
      const run = await start([kind]);
      await bench.pass(8);
      bench.sender.vanish();
      await bench.pass(3);
      const ended = await run.end();
      expectFail(ended);
      const { estimated, outageSeconds } = costOf(ended.rows);
      expect(Math.abs(estimated - 180)).toBeLessThan(2);
      expect(outageSeconds).toBeCloseTo(3, 0);
      expect(ended.reason).toMatch(/about 1[78]\d frames at 60 fps \(an estimate\)/);
    });
  });

  describe('a sender without our code that stays connected', () => {
    const silent =
      /the sender was connected, but no new frame arrived.* for .* m?s: it may send only when its picture changes, so losses in that time were not measured/;

    function expectSilent({ verdict, reason, rows }: Ended): void {
      expect([verdict, reason]).toEqual(['WARN', expect.stringMatching(silent)]);
      expect(reason).not.toMatch(/no new picture for|stood still|lost|missing/);
      for (const row of rows) expect(row.verdict).not.toBe('FAIL');
      expect(rows.flatMap(({ perStream }) => perStream.flatMap(({ outages }) => outages ?? []))).toEqual([]);
      const cost = rows.map(({ verdict: of, framesMissing }) => [of, framesMissing]);
      expect(cost).toContainEqual(['WARN', null]);
      for (const [of, framesMissing] of cost) expect(framesMissing).toBe(of === 'WARN' ? null : 0);
    }

    test.each([0.6, 10, 60])('and pauses for %d s', async (seconds) => {
      const run = await start(['foreign']);
      await bench.pass(8);
      bench.sender.fallSilent();
      await bench.pass(seconds);
      bench.sender.comeBack();
      await bench.pass(8);
      const [strip] = bench.shown;
      expectSilent(await run.end());
      expect(strip).toMatchObject({
        state: 'receiving',
        verdict: 'WARN',
        framesMissing: null,
        framesInOutages: null,
      });
      expect(bench.events.map(({ text }) => text).join('\n')).not.toMatch(/estimate|remove a stream/);
    });

    test('and never sends again', async () => {
      const run = await start(['foreign']);
      await bench.pass(8);
      bench.sender.fallSilent();
      await bench.pass(40);
      const [strip] = bench.shown;
      expect(strip).toMatchObject({
        state: 'stalled',
        verdict: 'WARN',
        remedy: expect.stringMatching(/^If it should send/),
      });
      expectSilent(await run.end());
    });

    test('and sends a frame every 3 s', async () => {
      const run = await start(['foreign']);
      for (let frame = 60 * 5; frame < 60 * 60; frame++) if (frame % 180 !== 0) bench.sender.lost.add(frame);
      await bench.pass(30);
      expectSilent(await run.end());
    });

    test('for a while, and is gone then', async () => {
      const run = await start(['foreign']);
      await bench.pass(8);
      bench.sender.fallSilent();
      await bench.pass(30);
      bench.sender.vanish();
      await bench.pass(5);
      const ended = await run.end();
      expectFail(ended);
      expect(ended.reason).toMatch(/how many frames it cost is not known/);
    });
  });

  test('whose newest records did not come through sent what was captured', async () => {
    const run = await start(['recorded']);
    await bench.pass(8.1);
    bench.sender.vanishUnrecorded();
    await bench.pass(6);
    const ended = await run.end();
    expectFail(ended);
    const of = (id: 'framesSubmitted' | 'framesReceived'): number =>
      ended.rows.reduce((sum, { perStream }) => sum + (perStream[0]?.[id] ?? 0), 0);
    expect(of('framesSubmitted')).toBe(of('framesReceived'));
    expect(ended.rows.map(({ conserved }) => conserved)).not.toContain(false);
  });

  test('of two streams counts the one that is out, and the other goes on', async () => {
    const run = await start(['coded', 'coded']);
    await bench.pass(8);
    bench.sender.vanish();
    await bench.pass(10);
    bench.sender.restart();
    await bench.pass(8);
    const [out, other] = bench.shown;
    const ended = await run.end();
    expectFail(ended);
    expect(Math.abs(costOf(ended.rows).frames - 600)).toBeLessThan(2);
    expect(costOf(ended.rows, 'x2').frames).toBe(0);
    expect([out?.verdict, other?.verdict]).toEqual(['FAIL', 'PASS']);
    expect(ended.reason).toMatch(/^row \d+ \(2 streams\): x1: no new picture for 10\.\d s/);
    expect(ended.reason).toMatch(/; all rows: .*1 outage of 10\.\d s, about [56]\d\d frames/);
  });

  test('counts what another stream loses while a sender is followed anew', async () => {
    const run = await start(['coded', 'coded']);
    await bench.pass(8);
    bench.sender.restart();
    // In the warm-up of the one that was started again.
    await bench.pass(0.7);
    bench.senders[1]?.fallSilent();
    await bench.pass(0.3);
    bench.senders[1]?.comeBack();
    await bench.pass(8);
    const ended = await run.end();
    expectFail(ended);
    expect(costOf(ended.rows, 'x2').frames).toBeGreaterThan(11);
    expect(ended.rows.map(({ label }) => label)).toContain('between rows');
  });

  test('judges an outage that begins in the warm-up after a new start', async () => {
    const run = await start(['coded']);
    await bench.pass(8);
    bench.sender.restart();
    await bench.pass(0.7);
    bench.sender.vanish();
    await bench.pass(5);
    bench.sender.restart();
    await bench.pass(8);
    const ended = await run.end();
    expectFail(ended);
    expect(costOf(ended.rows).frames).toBeGreaterThan(290);
    expect(ended.reason).toMatch(
      /[12] outages?(, | of )5\.\d s( together)?, about \d+ frames \(an estimate\)$/,
    );
  });

  test('joins its rows: each begins where the one before ended, and no number is left out', async () => {
    const run = await start(['coded']);
    await bench.pass(45);
    const { rows } = await run.end();
    for (const [index, row] of rows.slice(1).entries()) {
      expect(row.startedAt).toBe(rows[index]?.endedAt);
      expect(row.perStream[0]?.firstFrame).toBe((rows[index]?.perStream[0]?.lastFrame ?? 0) + 1);
    }
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index + (rows[0]?.row ?? 0)));
  });

  test('is INVALID where its own receiving process died, with what that cost', async () => {
    const run = await start(['coded']);
    await bench.pass(8);
    bench.sender.fallSilent();
    bench.application.host('receiving').die();
    await bench.pass(4);
    bench.sender.comeBack();
    await bench.pass(8);
    const { verdict, rows } = await run.end();
    expect(verdict).toBe('INVALID');
    expect(costOf(rows).frames).toBeGreaterThan(220);
    for (const row of rows.filter((one) => costOf([one]).frames > 0)) expect(row.verdict).toBe('INVALID');
  });
});

describe('a live run', () => {
  test('counts what a stream loses while others are added and removed', async () => {
    const { run, add, end } = await bench.live(join(folder, `run-${++runs}`), ['coded']);
    await bench.pass(5);
    await add('coded');
    await bench.pass(1);
    bench.sender.fallSilent();
    await bench.pass(0.3);
    bench.sender.comeBack();
    await bench.pass(5);
    const [, second] = bench.followed.streams;
    if (second) await bench.clock.until(run.remove(second));
    await bench.pass(5);
    const ended = await end();
    expectFail(ended);
    expect(ended.rows.map(({ label, streams, verdict }) => [label, streams, verdict])).toEqual([
      ['', 1, 'PASS'],
      ['between rows', 1, 'FAIL'],
      ['', 2, 'PASS'],
      ['', 1, 'PASS'],
    ]);
    expect(ended.rows[1]?.notMeasured.bitrateMbps).toMatch(/^streams that are not in this row travelled too/);
    expect(Math.abs(costOf(ended.rows).frames - 18)).toBeLessThan(2);
    expect(ended.reason).toMatch(/^row \d+ \(1 stream\): /);
  });

  test('keeps the loss of a row that is too short to be one', async () => {
    const { add, end } = await bench.live(join(folder, `run-${++runs}`), ['coded']);
    await bench.pass(4);
    await add('coded');
    // Until just after the row with both is open.
    await bench.pass(2.4);
    bench.sender.fallSilent();
    await bench.pass(0.3);
    bench.sender.comeBack();
    await add('coded');
    await bench.pass(5);
    const ended = await end();
    expectFail(ended);
    expect(ended.rows.map(({ label, streams }) => [label, streams])).toEqual([
      ['', 1],
      ['short row', 2],
      ['', 3],
    ]);
    expect(Math.abs(costOf(ended.rows).frames - 18)).toBeLessThan(2);
    expect(ended.rows[2]?.reason).toContain('2 streams were added since the row before');
  });

  test('says which streams were added at once, and numbers its rows without a hole', async () => {
    const { end } = await bench.live(join(folder, `run-${++runs}`), ['coded', 'coded', 'coded']);
    await bench.pass(6);
    const { rows, verdict } = await end();
    expect(rows.map(({ row, streams }) => [row, streams])).toEqual([[1, 3]]);
    expect(rows[0]?.reason).toBe('no frame lost; 3 streams were added since the row before');
    expect(verdict).toBe('PASS');
  });

  test('says of a sender that never came that it did not come, and counts it from its warm-up on', async () => {
    const { add, end } = await bench.live(join(folder, `run-${++runs}`), []);
    await add('coded', false);
    await bench.pass(defaultThresholds.connectTimeoutSeconds + 4);
    bench.sender.comeBack();
    await bench.pass(10);
    const { rows } = await end();
    expect(rows.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['FAIL', expect.stringMatching(/^no frame within 10 s of adding x1/)],
      ['PASS', 'no frame lost'],
    ]);
  });
});
