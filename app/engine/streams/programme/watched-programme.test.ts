import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PictureClass, PictureStatus } from '../../../protocol/records';
import type { Capture } from '../../../testing/columns';
import type { Row } from '../../../testing/named-rows';
import { type Ended, OutageBench } from '../../../testing/outage-bench';

/** A mixer's output, as `watch --programme` counts it: 30 pictures a second for 26 s, a cut every 4 s. */
let bench: OutageBench;

beforeEach(async () => {
  bench = await OutageBench.start();
});
afterEach(() => bench.close());

const rate = { numerator: 30, denominator: 1 };
const shownFrames = 120;
const [camera, titles] = [41, 42];

type Made = Omit<Capture, 'captureNs'> | null;

/** What the source that is due shows. */
function clean(index: number) {
  const isTitles = Math.floor(index / shownFrames) % 2 === 1;
  return {
    sourceId: isTitles ? titles : camera,
    frameNumber: isTitles ? 90_000 + index : index,
    senderId: 0,
  };
}

async function watched(picture: (index: number, sinceCut: number) => Made): Promise<Ended> {
  const made = (index: number): Made => picture(index, index < shownFrames ? -1 : index % shownFrames);
  await bench.followPlayed({ framesPerSecond: 30, declared: rate, picture: made }, true);
  const run = await bench.watch([]);
  await bench.pass(26);
  return run.end();
}

const sum = (rows: readonly Row[], figure: (row: Row) => number | null): number =>
  rows.reduce((total, row) => total + (figure(row) ?? 0), 0);
const counted = (rows: readonly Row[]) => ({
  cuts: sum(rows, (row) => row.cuts),
  missing: sum(rows, (row) => row.framesMissing),
  atCuts: sum(rows, (row) => row.framesMissingAtCuts),
  duplicated: sum(rows, (row) => row.framesDuplicated),
  mixed: sum(rows, (row) => row.picturesMixed),
  undecodable: sum(rows, (row) => (row.framesUndecodable ?? 0) + (row.framesUndecodableUnmatched ?? 0)),
  wrongSource: sum(rows, (row) => row.picturesWrongSource),
  stalls: sum(rows, (row) => row.stalls),
});
const nothing = {
  ...{ cuts: 6, missing: 0, atCuts: 0, duplicated: 0, mixed: 0, undecodable: 0, wrongSource: 0, stalls: 0 },
};
const cuts = (): string[] => bench.events.filter(({ kind }) => kind === 'cut').map(({ text }) => text);

describe('a mixer that', () => {
  test('cuts cleanly passes', async () => {
    const { verdict, reason, rows } = await watched(clean);
    expect([verdict, reason]).toEqual(['PASS', expect.stringContaining('no frame lost')]);
    expect(counted(rows)).toEqual(nothing);
    expect(cuts().slice(0, 2)).toEqual([
      'x1: cut from source 41 to source 42, its frame 90120',
      'x1: cut from source 42 to source 41, its frame 240',
    ]);
    expect(bench.events.map(({ kind }) => kind)).not.toContain('wrong-source');
    expect(bench.events.map(({ kind }) => kind)).not.toContain('sender-restarted');
  });

  test('drops three frames at each cut loses these, at cuts, and says so', async () => {
    const { verdict, rows } = await watched((index, since) =>
      since >= 0 && since < 3 ? null : clean(index),
    );
    expect(verdict).toBe('FAIL');
    expect(counted(rows)).toEqual({ ...nothing, missing: 18, atCuts: 18 });
    expect(cuts()[0]).toMatch(/its frame 90123; at the cut 3 frames missing$/);
    expect(
      rows[0]?.perStream[0]?.losses.map(({ frames, causes }) => [frames, causes?.[0]?.code]),
    ).toContainEqual([...[3, 'mixer-cut']]);
  });

  test('repeats a frame at each cut loses none', async () => {
    const { verdict, rows } = await watched((index, since) => clean(since === 0 ? index - 1 : index));
    expect([verdict, counted(rows)]).toEqual(['PASS', { ...nothing, duplicated: 6 }]);
    expect(cuts()[0]).toMatch(/its frame 90121; at the cut 1 picture repeated$/);
  });

  test('dissolves shows pictures without a code, and loses none', async () => {
    const noCode = { frameNumber: 0, status: PictureStatus.Undecodable };
    const { verdict, rows } = await watched((index, since) =>
      since >= 0 && since < 10 ? noCode : clean(index),
    );
    expect([verdict, counted(rows)]).toEqual(['PASS', { ...nothing, mixed: 60 }]);
  });

  test('does not cut has no cut', async () => {
    const { verdict, rows } = await watched((index) => ({
      frameNumber: index,
      sourceId: camera,
      senderId: 0,
    }));
    expect([verdict, counted(rows)]).toEqual(['PASS', { ...nothing, cuts: 0 }]);
  });

  test('stands still between two sources has stood still', async () => {
    const { verdict, rows } = await watched((index, since) =>
      since >= 0 && since < 45 ? null : clean(index),
    );
    expect(verdict).toBe('FAIL');
    expect(counted(rows)).toEqual({ ...nothing, missing: 270, atCuts: 270, stalls: 6 });
  });

  test('loses frames while it shows a source loses these, and none at cuts', async () => {
    const { verdict, rows } = await watched((index) => (index % 60 === 30 ? null : clean(index)));
    expect(verdict).toBe('WARN');
    expect(counted(rows)).toEqual({ ...nothing, missing: expect.any(Number) });
    expect(counted(rows).missing).toBeGreaterThan(10);
  });
});

test('of a source without a frame code cuts cannot be seen, and say why', async () => {
  const noCode = { frameNumber: 0, status: PictureStatus.Undecodable, pictureClass: PictureClass.Other };
  await bench.followPlayed({ framesPerSecond: 30, declared: rate, picture: () => noCode }, true);
  const run = await bench.watch([]);
  await bench.pass(10);
  const { rows } = await run.end();
  expect(rows[0]?.perStream[0]).toMatchObject({
    ...{ method: 'timestamps', cuts: null, picturesMixed: null, framesMissingAtCuts: null },
    notMeasured: { cuts: 'the source has no frame code, by which its cuts would be seen' },
  });
});

test('of a stream that is no programme cuts are not measured', async () => {
  await bench.followPlayed({ framesPerSecond: 30, declared: rate, picture: clean });
  const run = await bench.watch([]);
  await bench.pass(5);
  const { rows } = await run.end();
  expect(rows[0]?.perStream[0]).toMatchObject({ cuts: null, picturesMixed: null, framesMissingAtCuts: null });
});
