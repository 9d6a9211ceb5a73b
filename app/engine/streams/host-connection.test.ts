import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeHost } from '../../testing/fake-application';
import { checked } from '../../testing/movie-facts';
import { SimulatedClock } from '../../testing/simulated-clock';
import type { HostProcess } from '../host-application';
import { HostConnection } from './host-connection';

const command = { name: 'checkMovie', path: 'a.mov', decode: true } as const;

const noEvents = { onRecords: () => undefined, onDeath: () => undefined };
const clock = new SimulatedClock();

let process: FakeHost;
let host: HostConnection;

beforeEach(() => {
  vi.useFakeTimers();
  process = new FakeHost('sending');
  process.deafTo = 'checkMovie';
  host = new HostConnection('sending', process, noEvents, clock);
});
afterEach(() => vi.useRealTimers());

test('a request that takes long reports its progress, and silence is counted from the last of it', async () => {
  const progress = vi.fn();
  const answer = host.request(command, progress);
  for (let second = 10; second <= 60; second += 10) {
    await vi.advanceTimersByTimeAsync(10_000);
    process.progress(second, 600);
  }
  expect(progress).toHaveBeenCalledTimes(6);
  expect(progress).toHaveBeenLastCalledWith(expect.objectContaining({ framesDone: 60, frames: 600 }));
  process.reply(checked());
  expect(await answer).toEqual(checked());
});

test('a host that says nothing for 15 s is given up', async () => {
  const answer = host.request(command).catch((error) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  process.progress(1, 600);
  await vi.advanceTimersByTimeAsync(14_000);
  process.progress(2, 600);
  await vi.advanceTimersByTimeAsync(15_001);
  expect(await answer).toMatchObject({ code: 'HOST_SILENT', message: expect.stringContaining('checkMovie') });
});

test('an abort cancels the request by its number, and the answer is what the host then says', async () => {
  const abort = new AbortController();
  const answer = host.request(command, undefined, abort.signal);
  expect(process.named('cancel')).toEqual([]);
  abort.abort();
  expect(process.named('cancel')).toEqual([{ name: 'cancel', requestId: process.requests[0]?.requestId }]);
  process.reply(checked({ state: 'running', framesDecoded: 12 }));
  expect(await answer).toMatchObject({ state: 'running', framesDecoded: 12 });
});

test('a signal that was aborted before cancels at once, one that aborts later does nothing', async () => {
  const abort = new AbortController();
  abort.abort();
  const early = host.request(command, undefined, abort.signal);
  expect(process.named('cancel')).toHaveLength(1);
  process.reply(checked());
  await early;
  const later = new AbortController();
  const answer = host.request(command, undefined, later.signal);
  process.reply(checked());
  await answer;
  later.abort();
  expect(process.named('cancel')).toHaveLength(1);
});

test('the death of the host ends what waits for it', async () => {
  const answer = host.request(command).catch((error) => error);
  process.die();
  expect(await answer).toMatchObject({
    code: 'HOST_DIED',
    message: 'The sending process was killed (SIGKILL)',
  });
  await expect(host.request(command)).rejects.toMatchObject({ code: 'HOST_DIED' });
  expect(vi.getTimerCount()).toBe(0);
});

test('the process counts as ours from its start on, where it is known then', async () => {
  expect(host.processIds).toEqual([process.processId]);
  process.report({ processIds: [process.processId, 7] });
  expect(host.processIds).toEqual([process.processId, 7]);
  const unknown: HostProcess = { post: vi.fn(), onMessage: vi.fn(), onExit: vi.fn(), kill: vi.fn() };
  expect(new HostConnection('sending', unknown, noEvents, clock).processIds).toEqual([]);
});

test('a content process that is killed is named, and has no streams to add again', async () => {
  const content = new HostConnection('content', process, noEvents, clock);
  process.die();
  await expect(content.request(command)).rejects.toMatchObject({
    message: 'The content process was killed (SIGKILL)',
    remedy: 'What was measured is kept; run it again',
  });
});
