import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PreviewsState } from '../../app/protocol/console';
import type { Command } from '../../app/protocol/console-commands';
import { ElsewherePreviews, useElsewherePictures } from './elsewhere-previews';

let asked: Command<'previewElsewhere'>[];
let state: PreviewsState;
let hasEngine: boolean;
let isHidden: boolean;
let previews: ElsewherePreviews;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  [asked, state, hasEngine, isHidden] = [[], 'open', true, false];
  useElsewherePictures.setState({}, true);
  previews = new ElsewherePreviews(
    async (wish) => {
      asked.push(wish);
      if (!hasEngine) return { result: null, problem: { code: 'INTERNAL', message: 'no engine' } };
      return { result: { state, number: asked.length }, problem: null };
    },
    () => isHidden,
  );
});
afterEach(() => vi.useRealTimers());

function streams(...ids: number[]) {
  return ids.map((streamId) => ({ streamId, maxWidth: 128 }));
}

/** How often each stream was asked for in 10 s. */
async function askedIn10s(): Promise<Record<number, number>> {
  asked = [];
  await vi.advanceTimersByTimeAsync(9999);
  const counts: Record<number, number> = {};
  for (const { streamId } of asked) counts[streamId] = (counts[streamId] ?? 0) + 1;
  return counts;
}

test('a stream is asked for twice a second, and all together four times, in turn', async () => {
  previews.show(streams(1));
  expect(await askedIn10s()).toEqual({ 1: 19 });
  previews.show(streams(1, 2));
  expect(await askedIn10s()).toEqual({ 1: 20, 2: 20 });
  previews.show(streams(1, 2, 3, 4, 5, 6, 7, 8));
  for (const count of Object.values(await askedIn10s())) expect(count).toBe(5);
  expect(Object.values(await askedIn10s())).toHaveLength(8);
});

test('what is not seen is not asked for, in a hidden window nothing', async () => {
  previews.show(streams(1, 2));
  await askedIn10s();
  previews.show(streams(2));
  expect(await askedIn10s()).toEqual({ 2: 20 });
  isHidden = true;
  expect(await askedIn10s()).toEqual({});
  isHidden = false;
  expect(await askedIn10s()).toEqual({ 2: 20 });
  previews.show([]);
  expect(await askedIn10s()).toEqual({});
});

test('no picture is larger than another machine sends, and each question says which one is there', async () => {
  previews.show([{ streamId: 1, maxWidth: 256 }]);
  await vi.advanceTimersByTimeAsync(600);
  expect(asked).toEqual([
    { name: 'previewElsewhere', streamId: 1, maxWidth: 160, after: 0 },
    { name: 'previewElsewhere', streamId: 1, maxWidth: 160, after: 1 },
  ]);
});

test('it is known whether pictures come, until the stream is forgotten; without an engine nothing changes', async () => {
  previews.show(streams(1));
  await vi.advanceTimersByTimeAsync(0);
  expect(useElsewherePictures.getState()).toEqual({ 1: { state: 'open', hasPicture: true } });
  state = 'silent';
  await vi.advanceTimersByTimeAsync(600);
  hasEngine = false;
  await vi.advanceTimersByTimeAsync(600);
  expect(useElsewherePictures.getState()).toEqual({ 1: { state: 'silent', hasPicture: true } });
  previews.show([]);
  previews.forget(1);
  expect(useElsewherePictures.getState()).toEqual({});
});
