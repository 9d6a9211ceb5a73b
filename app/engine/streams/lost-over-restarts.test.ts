import { afterEach, beforeEach, expect, test } from 'vitest';
import { lossText, outageText } from '../../facts/loss-words';
import { lossMarks } from '../../protocol/timeline';
import { OutageBench } from '../../testing/outage-bench';
import type { SenderKind } from '../../testing/remote-sender';

let bench: OutageBench;

beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

/** Each mark with what is said of it. */
function marks(): string[] {
  const { lossKeys, lossMark } = bench.timeline;
  return lossKeys.map((key, index) => {
    const known = bench.knownOf(key);
    if (!known) throw new Error(`nothing is known of ${key}`);
    const text = known.kind === 'frames' ? lossText(known.loss) : outageText(known.outage);
    return `${lossMarks[lossMark[index] ?? 0]}: ${text}`;
  });
}

function brief(mark: string): string {
  return /^\S+: (\d+ frames?|no new picture for \S+ s)/.exec(mark)?.[0] ?? mark;
}

function lose(first: number, last: number): void {
  for (let frame = first; frame <= last; frame++) bench.sender.lost.add(frame);
}

test.each<SenderKind>(['coded', 'recorded', 'foreign'])(
  'the timeline keeps the losses of all starts of a sender, and its outages (%s)',
  async (kind) => {
    const run = await bench.watch([kind]);
    lose(300, 304);
    lose(340, 341);
    await bench.pass(8);
    const before = marks();
    expect(before.map(brief)).toEqual(['absent: 5 frames', 'absent: 2 frames']);
    bench.sender.vanish();
    await bench.pass(13.2);
    bench.sender.restart();
    await bench.pass(8);
    // The next start numbers its frames from 0 again, and the same ones are lost.
    const once = marks();
    expect(once.slice(0, 2)).toEqual(before);
    expect(once).toHaveLength(5);
    bench.sender.vanish();
    await bench.pass(5);
    bench.sender.lost.clear();
    lose(120, 120);
    bench.sender.restart();
    await bench.pass(8);

    const all = marks();
    expect(all.slice(0, 5)).toEqual(once);
    expect(all.map(brief)).toEqual([
      ...['absent: 5 frames', 'absent: 2 frames', 'outage: no new picture for 13.2 s'],
      ...['absent: 5 frames', 'absent: 2 frames', 'outage: no new picture for 5.0 s', 'absent: 1 frame'],
    ]);
    expect(all[2]).toContain('about 792 frames at 60 fps (an estimate)');
    expect(new Set(bench.timeline.lossKeys).size).toBe(7);
    const [strip] = bench.shown;
    expect(strip).toMatchObject({ lostTotal: 15, framesInOutages: 792 + 300 });
    expect(bench.timeline).toMatchObject({ lostFrames: 15, outageFrames: 792 + 300, framesUnlisted: 0 });
    // The newest loss stays on the strip until there is another one.
    expect(strip?.lastLoss).toBe(all[6]?.replace('absent: ', ''));
    const starts = [...bench.timeline.lossFromMs];
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    await run.end();
  },
);

test.each<SenderKind>(['coded', 'recorded', 'foreign'])(
  'the newest loss of a strip is the outage, from when on, how long, how many frames (%s)',
  async (kind) => {
    const run = await bench.watch([kind]);
    lose(300, 304);
    await bench.pass(8);
    expect(bench.shown[0]).toMatchObject({ lastOutageMs: null });
    expect(bench.shown[0]?.lastLoss).toMatch(/^5 frames /);
    bench.sender.vanish();
    await bench.pass(13.2);
    const [away] = bench.shown;
    expect(away?.lastLossStage).toBe('outage');
    expect(away?.lastLoss).toMatch(
      /^since 00:01:08\.\d{3} UTC, no new picture for 1\d\.\d s, not over: about \d+ frames/,
    );
    expect(away?.lastOutageMs).toBeGreaterThan(11_000);
    bench.sender.lost.clear();
    bench.sender.restart();
    await bench.pass(1);
    // Before the new sender is counted, and after it.
    for (let second = 0; second < 5; second++) {
      const [strip] = bench.shown;
      expect(strip?.lastLossStage).toBe('outage');
      expect(strip?.lastLoss).toMatch(
        /^from 00:01:08\.\d{3} to 00:01:21\.\d{3} UTC, no new picture for 13\.2 s: about 792 frames at 60 fps \(an estimate\)/,
      );
      expect(Math.round((strip?.lastOutageMs ?? 0) / 100)).toBe(132);
      await bench.pass(1);
    }
    lose(600, 601);
    await bench.pass(8);
    expect(bench.shown[0]).toMatchObject({ lastOutageMs: null });
    expect(bench.shown[0]?.lastLoss).toMatch(/^2 frames /);
    await run.end();
  },
);

test('what was lost just before a sender ended is reported, and the strip names the outage after it', async () => {
  const run = await bench.watch(['coded']);
  lose(470, 472);
  await bench.pass(8);
  bench.sender.vanish();
  await bench.pass(0.1);
  bench.sender.lost.clear();
  bench.sender.restart();
  await bench.pass(8);
  expect(bench.shown[0]?.lastLoss).toMatch(/ UTC, no new picture for 117 ms: about 6 frames at 60 fps /);
  expect(bench.shown[0]).toMatchObject({ lostTotal: 3, framesInOutages: 6 });
  expect(bench.events.filter(({ kind }) => kind === 'frames-lost')).toEqual([
    expect.objectContaining({ text: expect.stringMatching(/^x1: 3 frames /) }),
  ]);
  await run.end();
});

test('what a strip says of one start of its sender names it, and what all of them lost together', async () => {
  const run = await bench.watch(['recorded']);
  lose(300, 310);
  await bench.pass(8);
  expect(bench.shown[0]?.reason).toMatch(/^11 of 300 frames /);
  bench.sender.vanish();
  await bench.pass(13.2);
  bench.sender.restart();
  bench.sender.lost.clear();
  lose(200, 201);
  await bench.pass(8);
  expect(bench.shown[0]).toMatchObject({ lostTotal: 13, framesInOutages: 792 });
  expect(bench.shown[0]?.reason).toMatch(
    /^since the outage at 00:01:08 UTC: no new picture for 13\.2 s: .+; 2 of \d+ frames were dropped .+; in all: 13 frames lost, about 792 frames in outages \(an estimate\)$/,
  );
  await run.end();
});
