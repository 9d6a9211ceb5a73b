import { expect, test } from 'vitest';
import { MemoryBusServer } from '../../testing/memory-bus';
import { cases, Random, seeds } from '../../testing/random';
import { SimulatedClock } from '../../testing/simulated-clock';
import { encodeValue } from './codec';
import { inboxLimits } from './inbox';
import { type ChannelOptions, NumberedChannel } from './numbered-channel';
import { outboxLimits } from './outbox';

const [up, down] = ['whiteline.from.a.host.1', 'whiteline.to.a.host.1'];

interface End {
  channel: NumberedChannel;
  /** Values, and ranges of numbers that are lost, in the order in which they were told. */
  heard: unknown[];
  overflowed: string[];
}

class Pair {
  readonly clock = new SimulatedClock();
  readonly server = new MemoryBusServer(this.clock);
  readonly hostBus = this.server.connect('host');
  readonly consoleBus = this.server.connect('console');
  readonly host: End;
  readonly console: End;

  constructor(options: Partial<ChannelOptions> = {}) {
    this.host = this.open('host', options);
    this.console = this.open('console', options);
  }

  open(name: 'host' | 'console', options: Partial<ChannelOptions> = {}): End {
    const isHost = name === 'host';
    const ends = isHost ? { sendOn: up, hearOn: down } : { sendOn: down, hearOn: up };
    const channel = new NumberedChannel(isHost ? this.hostBus : this.consoleBus, this.clock, ends, options);
    const end: End = { channel, heard: [], overflowed: [] };
    channel.onMessage((value) => end.heard.push(value));
    channel.onLost(({ from, to }) => end.heard.push(`lost ${from}..${to}`));
    channel.onRestart(() => end.heard.push('restarted'));
    channel.onOverflow(({ from, to }) => end.overflowed.push(`${from}..${to}`));
    return end;
  }
}

test('values go both ways, in order, typed arrays among them', async () => {
  const { host, console, clock } = new Pair();
  host.channel.send({ block: new Float64Array([1, 2]) });
  host.channel.send('second');
  console.channel.send({ name: 'start' });
  await clock.pass(10);
  expect(console.heard).toEqual([{ block: new Float64Array([1, 2]) }, 'second']);
  expect(host.heard).toEqual([{ name: 'start' }]);
});

test('once all is confirmed no timer runs, and nothing more is sent', async () => {
  const { host, console, clock, server } = new Pair();
  host.channel.send(1);
  await clock.pass(1000);
  let carried = 0;
  server.way = () => {
    carried++;
    return [0];
  };
  await clock.pass(60_000);
  expect([console.heard, carried, clock.waiting]).toEqual([[1], 0, 0]);
});

test('an answer takes the confirmation of its question along, and nothing more follows', async () => {
  const { host, console, clock, server } = new Pair();
  host.channel.onMessage(() => host.channel.send('answer'));
  const sentMs: [string, number][] = [];
  const began = clock.monotonicNs();
  server.way = (subject) => {
    sentMs.push([subject, (clock.monotonicNs() - began) / 1e6]);
    return [0];
  };
  console.channel.send('question');
  await clock.pass(60_000);
  expect(console.heard).toEqual(['answer']);
  expect(sentMs.filter(([subject]) => subject === up)).toEqual([
    [up, 0],
    [up, 0],
  ]);
  expect(sentMs.filter(([subject]) => subject === down)).toEqual([
    [down, 0],
    [down, 100],
  ]);
});

test('what is sent as one value does not change when its sender changes it', async () => {
  const { host, console, clock } = new Pair();
  const value = { count: 1 };
  host.channel.send(value);
  value.count = 2;
  await clock.pass(10);
  expect(console.heard).toEqual([{ count: 1 }]);
});

test('a cut of 5 s, which neither end notices, costs nothing', async () => {
  const { host, console, clock, server } = new Pair();
  server.cut('host', 'console');
  for (let value = 1; value <= 20; value++) {
    host.channel.send(value);
    await clock.pass(250);
  }
  server.mend('host', 'console');
  await clock.pass(3000);
  expect(console.heard).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

test('after a connection that broke the last messages come at once, without a new one', async () => {
  const { host, hostBus, console, clock } = new Pair();
  host.channel.send(1);
  await clock.pass(500);
  hostBus.disconnect();
  host.channel.send(2);
  host.channel.send(3);
  await clock.pass(60_000);
  hostBus.reconnect();
  await clock.pass(250);
  expect(console.heard).toEqual([1, 2, 3]);
});

test('what does not come within 7 s is told as lost, and the rest comes', async () => {
  const { host, console, clock, server } = new Pair();
  host.channel.send('first');
  server.cut('host', 'console');
  host.channel.send('second');
  server.mend('host', 'console');
  host.channel.send('third');
  // No question for it arrives.
  server.way = (subject) => (subject === down ? [] : [0]);
  await clock.pass(6000);
  expect(console.heard).toEqual(['first']);
  await clock.pass(2000);
  expect(console.heard).toEqual(['first', 'lost 2..2', 'third']);
});

test('where too much waits the oldest is let go: its sender is told, and the other end learns that it is lost', async () => {
  const { host, console, clock, server } = new Pair({ outbox: { ...outboxLimits, mostMessages: 3 } });
  server.cut('host', 'console');
  for (let value = 1; value <= 5; value++) host.channel.send(value);
  expect(host.overflowed).toEqual(['1..1', '2..2']);
  await clock.pass(1000);
  server.mend('host', 'console');
  await clock.pass(3000);
  expect(console.heard).toEqual(['lost 1..2', 3, 4, 5]);
});

test('a host that is started again is told, and its numbers begin anew', async () => {
  const pair = new Pair();
  const { console, clock, host } = pair;
  host.channel.send('old 1');
  await clock.pass(500);
  host.channel.close();
  const again = pair.open('host');
  again.channel.send('new 1');
  console.channel.send('hello');
  await clock.pass(500);
  expect(console.heard).toEqual(['old 1', 'restarted', 'new 1']);
  expect([host.heard, again.heard]).toEqual([[], ['hello']]);
});

test('a closed end hears and sends nothing, and sets no timer', async () => {
  const { host, console, clock, server } = new Pair();
  server.way = () => [50];
  host.channel.send(1);
  console.channel.send(2);
  console.channel.close();
  host.channel.close();
  host.channel.send(3);
  await clock.pass(10_000);
  expect([host.heard, console.heard, clock.waiting]).toEqual([[], [], 0]);
});

test('an end that is closed by what it hears hears nothing more', async () => {
  const { host, console, clock, server } = new Pair();
  console.channel.onMessage(() => console.channel.close());
  // The second waits for the first, so that both come out together.
  const waitsMs = [20, 10];
  server.way = () => [waitsMs.shift() ?? 0];
  host.channel.send(1);
  host.channel.send(2);
  await clock.pass(100);
  expect(console.heard).toEqual([1]);
});

test('what is no message of a channel is counted and dropped', async () => {
  const { hostBus, console, clock } = new Pair();
  const epoch = 'a1';
  const value = encodeValue(1);
  const wrong = [
    ...[null, 7, 'x', [], {}, { epoch }, { epoch, number: 1 }, { epoch, number: 1, keptFrom: 1, value: 1 }],
    ...[0, -1, 1.5, 2 ** 60, Number.NaN, '1'].map((number) => ({ epoch, number, keptFrom: 1, value })),
    ...['', 'A', 'x'.repeat(33), 1].map((other) => ({ epoch: other, number: 1, keptFrom: 1, value })),
    ...[
      { epoch, number: 1, keptFrom: 2, value },
      { epoch, againFrom: 2, againTo: 1 },
      { epoch, sentTo: 0, keptFrom: 1 },
    ],
    ...[
      { epoch, acknowledged: 1, more: 1 },
      { epoch, number: 1, keptFrom: 1, value, sentTo: 1 },
    ],
  ];
  for (const message of wrong) hostBus.publish(up, message);
  await clock.pass(100);
  expect([console.channel.refused, console.heard]).toEqual([wrong.length, []]);
});

test('a message whose value cannot be read is lost, and no other one', async () => {
  const { hostBus, console, clock } = new Pair();
  for (const [number, value] of [
    [1, encodeValue(1)],
    [2, Uint8Array.of(0xc1)],
    [3, encodeValue(3)],
  ] as const)
    hostBus.publish(up, { epoch: 'a1', number, keptFrom: 1, value });
  await clock.pass(100);
  expect(console.heard).toEqual([1, 'lost 2..2', 3]);
});

test('confirmations and questions of another life of an end change nothing', async () => {
  const { host, consoleBus, console, clock, server } = new Pair();
  server.cut('host', 'console');
  host.channel.send(1);
  server.mend('host', 'console');
  consoleBus.publish(down, { epoch: 'another', acknowledged: 1 });
  consoleBus.publish(down, { epoch: 'another', againFrom: 1, againTo: 1 });
  await clock.pass(100);
  expect(console.heard).toEqual([]);
  await clock.pass(1000);
  expect(console.heard).toEqual([1]);
});

const [seed] = seeds;
const messages = 150;

interface Schedule {
  dropped: number;
  repeated: number;
  latestMs: number;
  longestCutMs: number;
  mostKept: number;
  lostAfterMs: number;
}

/** Every number is heard once and in order, or told as lost once and in order. */
function accountOf(heard: readonly unknown[]): { order: number[]; lost: number } {
  let lost = 0;
  const order = heard.flatMap((one) => {
    if (typeof one === 'number') return [one];
    const [, from = 0, to = 0] = /^lost (\d+)\.\.(\d+)$/.exec(String(one))?.map(Number) ?? [];
    lost += to - from + 1;
    return Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
  return { order, lost };
}

async function play(random: Random, schedule: Schedule): Promise<{ lost: number }> {
  const pair = new Pair({
    inbox: { ...inboxLimits, lostAfterNs: schedule.lostAfterMs * 1e6 },
    outbox: { ...outboxLimits, mostMessages: schedule.mostKept },
  });
  const { clock, server, host, console, hostBus, consoleBus } = pair;
  const waysOf = (): number[] => {
    if (random.chance(schedule.dropped)) return [];
    const delay = (): number => random.whole(0, schedule.latestMs);
    return random.chance(schedule.repeated) ? [delay(), delay()] : [delay()];
  };
  server.way = waysOf;
  let [sentUp, sentDown] = [0, 0];
  while (sentUp < messages || sentDown < messages) {
    if (sentUp < messages && random.chance(0.6)) host.channel.send(++sentUp);
    if (sentDown < messages && random.chance(0.6)) console.channel.send(++sentDown);
    if (random.chance(0.02)) {
      const cutMs = random.whole(1, schedule.longestCutMs);
      const bus = random.pick([hostBus, consoleBus]);
      const isTold = random.chance(0.5);
      if (isTold) bus.disconnect();
      else server.cut('host', 'console');
      await clock.pass(random.whole(0, cutMs));
      if (random.chance(0.5) && sentUp < messages) host.channel.send(++sentUp);
      await clock.pass(cutMs);
      if (isTold) bus.reconnect();
      else server.mend('host', 'console');
    }
    await clock.pass(random.whole(0, 60));
  }
  server.way = () => [0];
  await clock.pass(4 * schedule.lostAfterMs + 10_000);
  const all = Array.from({ length: messages }, (_, n) => n + 1);
  const accounts = [accountOf(console.heard), accountOf(host.heard)];
  for (const { order } of accounts) expect(order, `WHITELINE_SEED=${random.seed}`).toEqual(all);
  expect([console.channel.refused, clock.waiting], `WHITELINE_SEED=${random.seed}`).toEqual([0, 0]);
  return { lost: accounts.reduce((sum, { lost }) => sum + lost, 0) };
}

const gentle: Schedule = {
  ...{ dropped: 0.1, repeated: 0.1, latestMs: 300, longestCutMs: 2000, mostKept: 4096, lostAfterMs: 60_000 },
};

test(`whatever the line does, no message is lost while both ends are patient (seed ${seed})`, async () => {
  for (let index = 0; index < cases(6, 300); index++)
    expect(await play(new Random(seed + index), gentle), `WHITELINE_SEED=${seed + index}`).toEqual({
      lost: 0,
    });
});

test(`where patience and memory are short, each message comes once or is told as lost (seed ${seed})`, async () => {
  const harsh = { ...gentle, dropped: 0.4, longestCutMs: 8000, mostKept: 12, lostAfterMs: 1500 };
  let lost = 0;
  for (let index = 0; index < cases(6, 300); index++)
    lost += (await play(new Random(seed + index), harsh)).lost;
  expect(lost).toBeGreaterThan(0);
});

test('an end is behind while what it sent waits for longer than the other end takes to confirm it', async () => {
  const { host, clock, server } = new Pair();
  for (let second = 0; second < 4; second++) {
    host.channel.send(second);
    await clock.pass(250);
    expect(host.channel.isBehind).toBe(false);
  }
  server.cut('host', 'console');
  host.channel.send(4);
  await clock.pass(450);
  expect(host.channel.isBehind).toBe(false);
  await clock.pass(100);
  expect(host.channel.isBehind).toBe(true);
  server.mend('host', 'console');
  await clock.pass(2000);
  expect(host.channel.isBehind).toBe(false);
});
