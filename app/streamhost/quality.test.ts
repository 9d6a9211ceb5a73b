import { expect, test, vi } from 'vitest';
import type { ContentAddon } from '../../native/addon/index';
import type { KeepPictures, QualityCheckStatus } from '../protocol/records';
import { SimulatedClock } from '../testing/simulated-clock';
import { Jobs } from './jobs';
import { compareQuality, keepPictures } from './quality';

const clock = new SimulatedClock();
const options: KeepPictures = { folder: '/x', width: 640, height: 360, frames: [1], sourceId: 7 };

test('pictures are kept at an end that is open, and keeping ends at one that is not', () => {
  const end = { keepPictures: vi.fn(), keptPictures: () => null };
  expect(keepPictures(end, { name: 'keepPictures', streamId: 1, options })).toBeNull();
  expect(end.keepPictures).toHaveBeenCalledWith(options);
  expect(() => keepPictures(null, { name: 'keepPictures', streamId: 4, options })).toThrow(/stream 4/);
  expect(keepPictures(undefined, { name: 'keepPictures', streamId: 4, options: null })).toBeNull();
});

test('a comparison reports its progress, ends with its status, and is closed', async () => {
  const picture = { frame: 5, meanSquaredErrors: [1, 1, 1], structuralSimilarities: [1, 1, 1] } as const;
  const statuses: QualityCheckStatus[] = [[], [picture]].map((compared, index) => ({
    ...{ state: index === 0 ? 'running' : 'done', compared, problem: null, pictureProblem: '' },
  })) as unknown as QualityCheckStatus[];
  const close = vi.fn();
  class QualityCheck {
    status = () => (statuses.length > 1 ? statuses.shift() : statuses[0]);
    close = close;
  }
  const report = vi.fn();
  const pairs = { folder: '/x', width: 640, height: 360, rateNumerator: 30, rateDenominator: 1, frames: [5] };
  const addon = { QualityCheck } as unknown as ContentAddon;
  const status = await clock.until(
    compareQuality(new Jobs(report, clock), 3, addon, { program: 'ffmpeg', pairs }),
  );
  expect(status.compared).toEqual([picture]);
  expect(report).toHaveBeenCalledWith({ type: 'progress', requestId: 3, framesDone: 0, frames: 1 });
  expect(close).toHaveBeenCalledOnce();
});
