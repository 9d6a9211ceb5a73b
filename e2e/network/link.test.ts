// @module-tag machine

import { test as base, describe, expect } from 'vitest';
import { machineClock } from '../../app/engine/clock';
import { killAll } from '../../app/testing/command';
import type { StreamRow } from '../../app/testing/named-rows';
import { logOf, Scene, sourcesOf, type Watched, whatCame } from './scene';

const test = base.extend<{ scene: Scene }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixtures that are needed from this pattern.
  scene: async ({}, use) => {
    const scene = await Scene.open();
    await use(scene);
    await scene.close();
  },
});

/** Each row's counts against the receiver's own log, which was written beside the records that were counted. */
function expectCountsOfLog(
  watched: Watched,
  sourceOf = (_: StreamRow): number => sourcesOf(watched)[0] ?? 0,
): void {
  // A row for which no sender was found has no frames, and says so.
  const counted = watched.streams.filter(({ firstFrame }) => firstFrame !== null);
  expect(counted.length).toBeGreaterThan(0);
  for (const stream of counted) {
    const log = logOf(watched, stream, sourceOf(stream));
    const reported = [...stream.droppedFrames, ...stream.missedFrames].sort((a, b) => a - b);
    const sources = sourcesOf(watched).map((id) => `${id}: ${logOf(watched, stream, id).pictures}`);
    const where = `frames ${stream.firstFrame} to ${stream.lastFrame}, pictures by source ${sources.join(', ')}; ${stream.reason}`;
    expect(stream.framesReceived, where).toBe(log.seen.size + (stream.framesUndecodable ?? 0));
    expect(stream.picturesCaptured, where).toBe(log.pictures + log.undecodable);
    expect(stream.framesDuplicated, where).toBe(log.duplicated.length);
    expect(stream.framesReordered, where).toBe(log.reordered.length);
    if (stream.framesScheduled === null) continue;
    const lacking = new Set(log.lacking);
    expect(
      reported.filter((frame) => !lacking.has(frame)),
      where,
    ).toEqual([]);
    // Where the link was down to the end, the sender could not report all of its frames, and the row says so.
    const unreported = (stream.lastFrame ?? -1) - (stream.firstFrame ?? 0) + 1 - stream.framesScheduled;
    if (unreported > 0) {
      // Where it stayed down, that is an outage, and what it cost is an estimate.
      expect(stream.reason).toMatch(/the sender left no record of|no new picture for .+ \(an estimate\)/);
      expect(lacking.size - reported.length, where).toBeLessThanOrEqual(unreported);
      continue;
    }
    expect(reported, where).toEqual(log.lacking);
    expect(stream.framesSubmitted, where).toBe(log.seen.size + stream.droppedFrames.length);
  }
}

function expectPacketsLost({ network }: Scene, { least, oneIn }: { least: number; oneIn: number }): void {
  const { came, lost } = network.packets();
  expect(lost).toBeGreaterThan(least);
  // The kernel reports one counter after the other.
  expect(Math.abs(lost - came / oneIn)).toBeLessThan(2);
}

/** It is received at the end. A busy machine may be without a picture for half a second in any of the last views. */
function expectReceivedAtEnd(watched: Watched): void {
  const states = watched.views.slice(-3).map(({ state }) => state);
  expect(states, whatCame(watched)).toContain('receiving');
}

/** The longest interruption, ms: a busy machine may add short ones after it. */
const longestRecoveryMs = ({ recoveriesMs }: Watched): number => Math.max(...recoveriesMs);

const total = (
  streams: StreamRow[],
  figure: 'framesDropped' | 'framesSubmitted' | 'framesReceived' | 'stalls',
): number => streams.reduce((sum, stream) => sum + (stream[figure] ?? 0), 0);

test('a clean link: every frame that was submitted is received', async ({ scene }) => {
  await scene.send();
  const watched = await scene.seen(await scene.watch(6));
  expectCountsOfLog(watched);
  expect(watched.states.filter((state) => state !== 'connecting' && state !== 'warming-up')).toEqual([
    'receiving',
  ]);
  expect(total(watched.streams, 'framesSubmitted')).toBeGreaterThan(100);
  expect(total(watched.streams, 'framesDropped')).toBe(0);
  for (const stream of watched.streams) {
    expect(stream).toMatchObject({ conserved: true, framesMissing: null, method: 'frame-code' });
    // A busy machine may miss frames at the sender; the cable loses none.
    expect(stream.losses.filter(({ stage }) => stage !== 'sender')).toEqual([]);
    expect(stream.latencyMs.p50).toBeGreaterThan(0);
    expect(stream.latencyMs.p50).toBeLessThan(100);
  }
});

test('one packet in a hundred lost of a quiet picture: the SDK sends again, and the counts say so', async ({
  scene,
}) => {
  await scene.send();
  const watch = await scene.watch(8);
  scene.network.loseOneIn(100);
  const watched = await scene.seen(watch);
  expectPacketsLost(scene, { least: 20, oneIn: 100 });
  expectCountsOfLog(watched);
  expect(watched.streams.some((stream) => (stream.framesReceived ?? 0) > 100)).toBe(true);
});

test('one packet in 300 lost of noise: what the SDK does not save is counted, and lost on the way', async ({
  scene,
}) => {
  await scene.send(['--source', 'noise']);
  const watch = await scene.watch(8);
  scene.network.loseOneIn(300);
  const watched = await scene.seen(watch);
  expectPacketsLost(scene, { least: 10, oneIn: 300 });
  expectCountsOfLog(watched);
  expect(total(watched.streams, 'framesDropped')).toBeGreaterThan(5);
  const stages = watched.streams.flatMap(({ losses }) => losses.map(({ stage }) => stage));
  expect(stages).toContain('transport');
});

// Mostly waiting for the SDK, and each on a cable of its own.
describe.concurrent('an interruption', () => {
  test('a link that is down for three seconds: a stall, its end, and how long it took', async ({ scene }) => {
    await scene.send();
    const watch = await scene.watch(30);
    await machineClock.sleep(2000);
    scene.network.setCable('down');
    await machineClock.sleep(3000);
    scene.network.setCable('up');
    const watched = await scene.seen(watch);
    expectCountsOfLog(watched);
    expect(watched.states).toEqual(expect.arrayContaining(['receiving', 'stalled']));
    expectReceivedAtEnd(watched);
    expect(longestRecoveryMs(watched), whatCame(watched)).toBeGreaterThan(3000);
    // The same from the log: the longest time without a picture.
    const gaps = watched.log
      .slice(1)
      .map(({ captureNs }, at) => captureNs - (watched.log[at]?.captureNs ?? 0));
    expect(longestRecoveryMs(watched)).toBeCloseTo(Math.max(...gaps) / 1e6, 0);
    // The SDK takes up to some 15 s; a row that could not wait so long says that the sender reported nothing of it.
    const couldWait = watched.streams.every(({ reason }) => !reason.includes('the sender left no record of'));
    if (couldWait) expect(total(watched.streams, 'stalls')).toBeGreaterThan(0);
    expect(watched.streams.some(({ longestGapMs }) => (longestGapMs ?? 0) > 3000)).toBe(true);
    expect(watched.streams.every(({ framesReordered }) => framesReordered === 0)).toBe(true);
  });

  test('the sender’s host takes another address: the stream is found again there', async ({ scene }) => {
    await scene.send();
    const watch = await scene.watch(26);
    await machineClock.sleep(2000);
    scene.network.moveSender();
    const watched = await scene.seen(watch);
    expectCountsOfLog(watched);
    expect(watched.states, whatCame(watched)).toEqual(expect.arrayContaining(['receiving', 'stalled']));
    expectReceivedAtEnd(watched);
    expect(longestRecoveryMs(watched), whatCame(watched)).toBeGreaterThan(1000);
    expect(sourcesOf(watched)).toHaveLength(1);
  });

  test('a sender that is killed and started again is a restart, and nothing of it a reorder', async ({
    scene,
  }) => {
    const first = await scene.send();
    const watch = await scene.watch(26);
    await machineClock.sleep(3000);
    killAll(first.processes());
    await first.ended;
    await machineClock.sleep(1000);
    await scene.send();
    const watched = await scene.seen(watch);
    const [before, after] = sourcesOf(watched);
    expect(after).toBeDefined();
    const restarts = watched.events.filter(({ kind }) => kind === 'sender-restarted');
    expect(restarts).toHaveLength(1);
    // Numbers begin anew, and a row holds one of the two sources: which one, its time shows. One that opens between the two sources has
    // pictures of the second alone.
    const restartedAt = restarts[0]?.at ?? '';
    const startOf = (stream: StreamRow): string =>
      watched.rows.find(({ perStream }) => perStream.includes(stream))?.startedAt ?? '';
    const isOfFirst = (stream: StreamRow): boolean =>
      startOf(stream) < restartedAt && logOf(watched, stream, before ?? 0).pictures > 0;
    expectCountsOfLog(watched, (stream) => (isOfFirst(stream) ? before : after) ?? 0);
    expect(watched.streams.length).toBeGreaterThan(1);
    for (const stream of watched.streams)
      expect(stream).toMatchObject({ framesReordered: 0, framesDuplicated: 0 });
    expectReceivedAtEnd(watched);
  });
});
