import { beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { Conversation } from './conversation';

type Command = { type: 'report' };
type Output = { type: 'report'; nodes: number } | { type: 'progress' } | { type: 'failed'; text: string };

let clock: SimulatedClock;
let startNs: number;
let abort: AbortController;
let asked: Command[];
let noted: Output[];
let say: (message: Output | null) => void;
let talk: Conversation<Command, Output>;

beforeEach(() => {
  clock = new SimulatedClock();
  startNs = clock.monotonicNs();
  abort = new AbortController();
  [asked, noted] = [[], []];
  const said: (Output | null)[] = [];
  let take: (message: Output | null) => void = (message) => said.push(message);
  say = (message) => take(message);
  const helper = {
    send: async (command: Command) => void asked.push(command),
    receive: () =>
      new Promise<Output | null>((resolve) => {
        const first = said.shift();
        if (first !== undefined) return resolve(first);
        take = (message) => {
          take = (later) => said.push(later);
          resolve(message);
        };
      }),
    stop: async () => ({ exitCode: 0, endSignal: null }),
    ended: new Promise<never>(() => undefined),
    processIds: [],
    unreadBytes: 0,
  };
  talk = new Conversation('registry', helper, clock, abort.signal, (message) => noted.push(message));
});

const passedMs = (): number => (clock.monotonicNs() - startNs) / 1e6;
const report = (limitMs?: number) => talk.ask({ type: 'report' }, 'report', limitMs);

test('an answer ends the wait when it comes; what no one waits for is noted', async () => {
  clock.after(300, () => say({ type: 'progress' }));
  clock.after(700, () => say({ type: 'report', nodes: 7 }));
  expect(await clock.until(report())).toEqual({ type: 'report', nodes: 7 });
  expect([passedMs(), asked, noted]).toEqual([700, [{ type: 'report' }], [{ type: 'progress' }]]);
});

test('an answer that does not come is a failure after its time; a message that does not come is none', async () => {
  await expect(clock.until(report())).rejects.toMatchObject({
    ...{ code: 'TOOL_FAILED', message: 'The registry did not answer “report” within 20 s' },
  });
  expect(passedMs()).toBe(20_000);
  expect(await clock.until(talk.next('progress', 5000))).toBeNull();
  expect(passedMs()).toBe(25_000);
});

test('a message that came before it was waited for is taken, but for an answer to an earlier command', async () => {
  say({ type: 'progress' });
  say({ type: 'report', nodes: 1 });
  await clock.pass(100);
  expect(await clock.until(talk.next('progress', 5000))).toEqual({ type: 'progress' });
  clock.after(50, () => say({ type: 'report', nodes: 2 }));
  expect(await clock.until(report())).toEqual({ type: 'report', nodes: 2 });
  expect(passedMs()).toBe(150);
});

test('a failure and an abort end the wait at once', async () => {
  clock.after(400, () => abort.abort());
  await expect(clock.until(report())).rejects.toMatchObject({ code: 'ABORTED' });
  say({ type: 'failed', text: 'the disk is full' });
  const failed = { code: 'TOOL_FAILED', message: 'The registry failed: the disk is full' };
  const never = new AbortController().signal;
  await expect(clock.until(talk.next('progress', 5000, never))).rejects.toMatchObject(failed);
  expect(passedMs()).toBe(400);
});
