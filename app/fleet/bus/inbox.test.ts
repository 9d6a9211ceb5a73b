import { expect, test } from 'vitest';
import { Inbox, type InboxEvent, inboxLimits } from './inbox';

const ms = 1e6;
const nothing = { events: [], reply: null };

/** Each message holds the low byte of its number. */
class Heard {
  readonly inbox: Inbox;

  constructor(limits: Partial<typeof inboxLimits> = {}) {
    this.inbox = new Inbox({ ...inboxLimits, ...limits });
  }

  take(number: number, atMs = 0, { epoch = 'a', keptFrom = 1 } = {}): (number | string)[] {
    return wordsOf(this.inbox.take(epoch, number, keptFrom, Uint8Array.of(number), atMs * ms));
  }

  learn(sentTo: number, atMs = 0, { epoch = 'a', keptFrom = 1 } = {}): (number | string)[] {
    return wordsOf(this.inbox.learn(epoch, sentTo, keptFrom, atMs * ms));
  }

  pass(atMs: number): { events: (number | string)[]; again?: string[]; acknowledge?: number | null } {
    const { events, reply } = this.inbox.pass(atMs * ms);
    if (!reply) return { events: wordsOf(events) };
    const again = reply.again.map(({ from, to }) => `${from}..${to}`);
    return { events: wordsOf(events), again, acknowledge: reply.acknowledge };
  }
}

function wordsOf(events: readonly InboxEvent[]): (number | string)[] {
  return events.map((event) => {
    if (event.kind === 'lost') return `lost ${event.from}..${event.to}`;
    if (event.kind === 'restarted') return 'restarted';
    expect(event.value).toEqual(Uint8Array.of(event.number));
    return event.number;
  });
}

test('in order each comes out at once, and a repeat never', () => {
  const heard = new Heard();
  expect([heard.take(1), heard.take(2), heard.take(2), heard.take(1), heard.take(3)]).toEqual([
    ...[[1], [2], [], [], [3]],
  ]);
});

test('out of order they wait for what is missing, and each comes out once', () => {
  const heard = new Heard();
  expect([heard.take(3), heard.take(5), heard.take(3), heard.take(2), heard.take(1), heard.take(4)]).toEqual([
    ...[[], [], [], [], [1, 2, 3], [4, 5]],
  ]);
});

test('a first message that is not the first of its sender has those before it asked for', () => {
  const heard = new Heard();
  expect(heard.take(3)).toEqual([]);
  expect(heard.pass(200)).toEqual({ events: [], again: ['1..2'], acknowledge: null });
});

test('what is missing is asked for after 200 ms, then after twice as long each time, up to 2 s', () => {
  const heard = new Heard({ lostAfterNs: 60e9 });
  heard.take(3);
  const moments = Array.from({ length: 9001 }, (_, at) => at).filter((at) => heard.pass(at).again);
  expect(moments).toEqual([200, 600, 1400, 3000, 5000, 7000, 9000]);
});

test('the wait begins anew while what was asked for is arriving', () => {
  const heard = new Heard();
  heard.take(4);
  expect(heard.pass(200).again).toEqual(['1..3']);
  expect(heard.take(1, 500)).toEqual([1]);
  expect(heard.pass(650).again).toEqual([]);
  expect(heard.pass(700).again).toEqual(['2..3']);
});

test('several gaps are asked for together, 16 at most', () => {
  const heard = new Heard();
  for (let number = 2; number <= 40; number += 2) heard.take(number);
  expect(heard.pass(200).again).toEqual(Array.from({ length: 16 }, (_, n) => `${2 * n + 1}..${2 * n + 1}`));
});

test('what is missing for 7 s is told as lost, where it would stand, and does not come out later', () => {
  const heard = new Heard();
  heard.take(1, 0);
  heard.take(4, 1000);
  heard.take(6, 2000);
  expect(heard.pass(7999).events).toEqual([]);
  expect(heard.pass(8000).events).toEqual(['lost 2..3', 4]);
  expect(heard.take(3, 8001)).toEqual([]);
  expect(heard.pass(9000).events).toEqual(['lost 5..5', 6]);
  expect(heard.take(7, 9001)).toEqual([7]);
});

test('what its sender cannot send again is lost at once', () => {
  const heard = new Heard();
  expect(heard.take(9, 0, { keptFrom: 7 })).toEqual(['lost 1..6']);
  expect(heard.pass(200).again).toEqual(['7..8']);
  expect(heard.learn(12, 300, { keptFrom: 11 })).toEqual(['lost 7..8', 9, 'lost 10..10']);
});

test('that the last ones are missing is learnt from their sender', () => {
  const heard = new Heard();
  heard.take(1);
  expect(heard.pass(100)).toEqual({ events: [], again: [], acknowledge: 1 });
  expect(heard.learn(3, 1000)).toEqual([]);
  expect(heard.pass(1200)).toEqual({ events: [], again: ['2..3'], acknowledge: 1 });
  expect([heard.take(2, 1300), heard.take(3, 1300)]).toEqual([[2], [3]]);
  expect(heard.inbox.dueNs).toBe(1400 * ms);
});

test('what has arrived is confirmed after 100 ms, or at once after 32 messages', () => {
  const heard = new Heard();
  heard.take(1, 10);
  heard.take(2, 50);
  expect(heard.inbox.dueNs).toBe(110 * ms);
  expect(heard.pass(109)).toEqual({ events: [] });
  expect(heard.pass(110)).toEqual({ events: [], again: [], acknowledge: 2 });
  expect(heard.pass(500)).toEqual({ events: [] });
  for (let number = 3; number <= 33; number++) heard.take(number, 600);
  expect(heard.pass(600)).toEqual({ events: [] });
  heard.take(34, 600);
  expect(heard.pass(600)).toEqual({ events: [], again: [], acknowledge: 34 });
  expect(heard.inbox.dueNs).toBe(Number.POSITIVE_INFINITY);
});

test('a repeat is confirmed once more: the confirmation may be lost', () => {
  const heard = new Heard();
  heard.take(1, 0);
  heard.pass(100);
  heard.take(1, 300);
  expect(heard.pass(400)).toEqual({ events: [], again: [], acknowledge: 1 });
});

test('lost messages are confirmed too, so that their sender forgets them', () => {
  const heard = new Heard();
  heard.take(2, 0);
  heard.pass(200);
  expect(heard.pass(7000)).toMatchObject({ events: ['lost 1..1', 2] });
  expect(heard.pass(7100)).toEqual({ events: [], again: [], acknowledge: 2 });
});

test('a sender that begins anew is told, what it had not sent again is lost, and its old messages do not come in', () => {
  const heard = new Heard();
  heard.take(1);
  heard.take(3);
  expect(heard.take(1, 10, { epoch: 'b' })).toEqual(['lost 2..2', 3, 'restarted', 1]);
  expect([heard.take(2, 20), heard.learn(9, 20), heard.take(2, 20, { epoch: 'b' })]).toEqual([[], [], [2]]);
  expect(heard.inbox.pass(110 * ms).reply).toEqual({ epoch: 'b', again: [], acknowledge: 2 });
});

test('nothing of the old life of a sender counts in its new one', () => {
  const heard = new Heard();
  for (let number = 1; number <= 9; number++) heard.take(number);
  expect(heard.pass(100).acknowledge).toBe(9);
  heard.take(12, 200, { keptFrom: 10 });
  expect(heard.take(3, 300, { epoch: 'b' })).toEqual(['lost 10..11', 12, 'restarted']);
  expect(heard.pass(499)).toEqual({ events: [] });
  expect(heard.pass(500)).toEqual({ events: [], again: ['1..2'], acknowledge: null });
  expect(heard.take(1, 600, { epoch: 'b' })).toEqual([1]);
  expect(heard.pass(700)).toEqual({ events: [], again: [], acknowledge: 1 });
});

test('what waits is bounded: more is asked for later', () => {
  const heard = new Heard({ mostWaiting: 2 });
  for (const number of [2, 3, 4, 5]) expect(heard.take(number)).toEqual([]);
  expect(heard.take(1)).toEqual([1, 2, 3]);
  expect(heard.pass(200).again).toEqual(['4..5']);
  expect([heard.take(5, 300), heard.take(4, 300)]).toEqual([[], [4, 5]]);
});

test('however often a sender says that more is missing, the gaps stay few', () => {
  const heard = new Heard({ mostAsked: 1000 });
  for (let sentTo = 1; sentTo <= 6000; sentTo++) heard.learn(sentTo, sentTo);
  expect(heard.pass(6000).again).toHaveLength(30);
  expect(heard.pass(7000).events).toEqual([]);
  expect(heard.pass(7001).events).toEqual(['lost 1..200']);
});

test('so are the bytes of what waits', () => {
  const heard = new Heard({ mostWaitingBytes: 1 });
  for (const number of [2, 3]) expect(heard.take(number)).toEqual([]);
  expect([heard.take(1), heard.take(3)]).toEqual([[1, 2], [3]]);
  // There is room again.
  expect([heard.take(5), heard.take(4)]).toEqual([[], [4, 5]]);
});

test('a gap of any size takes no memory', () => {
  const heard = new Heard();
  expect(heard.take(2 ** 50, 0)).toEqual([]);
  expect(heard.pass(200).again).toEqual([`1..${2 ** 50 - 1}`]);
  expect(heard.inbox.pass(7e9).events[0]).toEqual({ kind: 'lost', from: 1, to: 2 ** 50 - 1 });
});

test('before the first message there is nothing to say', () => {
  const heard = new Heard();
  expect([heard.inbox.pass(9e9), heard.inbox.dueNs]).toEqual([nothing, Number.POSITIVE_INFINITY]);
});
