import { expect, test, vi } from 'vitest';
import type { Addon } from '../../native/addon/index';
import type { CoreScore, ProcessorScoreStatus, WakeUpStatus } from '../protocol/processor';
import { SimulatedClock } from '../testing/simulated-clock';
import { Jobs } from './jobs';
import { measureWakeUps, scoreProcessor } from './processor';

const clock = new SimulatedClock();

/** An addon whose work is further with each look. */
function addonWith(statuses: object[], records: object = {}) {
  const close = vi.fn();
  class Work {
    status = () => (statuses.length > 1 ? statuses.shift() : statuses[0]);
    // Drained when it is closed: nothing is recorded any more.
    drain = () => (close.mock.calls.length > 0 ? records : null);
    close = close;
  }
  return { addon: { WakeUpLateness: Work, ProcessorScore: Work } as unknown as Addon, close };
}

test('wake-ups are the answer once the last slot is over, and slots the progress', async () => {
  const statuses: WakeUpStatus[] = [
    { state: 'running', slotsPassed: 3, firstSlotNs: 7e9 },
    { state: 'done', slotsPassed: 9, firstSlotNs: 7e9 },
  ];
  const records = { slot: new Uint32Array([0]), latenessNs: new Float64Array([5]), overflowed: 0 };
  const { addon, close } = addonWith(statuses, records);
  const report = vi.fn();
  const options = { rateNumerator: 60, rateDenominator: 1, slots: 9 };
  expect(await clock.until(measureWakeUps(new Jobs(report, clock), 4, addon, options))).toEqual({
    ...records,
    firstSlotNs: 7e9,
  });
  expect(report).toHaveBeenCalledWith({ type: 'progress', requestId: 4, framesDone: 3, frames: 9 });
  expect(close).toHaveBeenCalledOnce();
});

test('a measurement that is cancelled answers with the wake-ups so far', async () => {
  const records = { slot: new Uint32Array(0), latenessNs: new Float64Array(0), overflowed: 0 };
  const { addon } = addonWith([{ state: 'running', slotsPassed: 0, firstSlotNs: 0 }], records);
  const jobs = new Jobs(() => jobs.cancel(4), clock);
  const options = { rateNumerator: 60, rateDenominator: 1, slots: 9 };
  expect(await clock.until(measureWakeUps(jobs, 4, addon, options))).toEqual({
    ...records,
    firstSlotNs: 0,
  });
});

test('scores are the answer once the last core has one, and cores the progress', async () => {
  const score: CoreScore = { core: 0, integerMsteps: 150, memoryMBps: 9000, notMeasured: '' };
  const status = { cores: [score], coresInAll: 2, problemMessage: '' };
  const done: ProcessorScoreStatus = { ...status, state: 'done', cores: [score, { ...score, core: 1 }] };
  const { addon, close } = addonWith([{ ...status, state: 'running' }, done]);
  const report = vi.fn();
  expect(await clock.until(scoreProcessor(new Jobs(report, clock), 5, addon))).toBe(done);
  expect(report).toHaveBeenCalledWith({ type: 'progress', requestId: 5, framesDone: 1, frames: 2 });
  expect(close).toHaveBeenCalledOnce();
});
