import { expect, test } from 'vitest';
import { WhitelineError } from '../protocol/errors';
import { MemoryBusServer } from './memory-bus';
import { SimulatedClock } from './simulated-clock';

function twoEnds() {
  const clock = new SimulatedClock();
  const server = new MemoryBusServer(clock);
  const [agent, console] = [server.connect('agent'), server.connect('console')];
  const heard: unknown[] = [];
  console.subscribe('whiteline.from.>', (value, subject) => heard.push([subject, value]));
  return { clock, server, agent, console, heard };
}

test('a value arrives later, at all who hear its subject, and large ones in pieces', async () => {
  const { clock, agent, console, heard } = twoEnds();
  const presences: unknown[] = [];
  console.subscribe('whiteline.from.*.presence', (value) => presences.push(value));
  const large = 'x'.repeat(1_200_000);
  agent.publish('whiteline.from.a.presence', { large });
  agent.publish('whiteline.from.a.host.1', 1);
  agent.publish('whiteline.from', 2);
  expect(heard).toEqual([]);
  await clock.pass(0);
  expect(heard).toEqual([
    ['whiteline.from.a.presence', { large }],
    ['whiteline.from.a.host.1', 1],
  ]);
  expect(presences).toEqual([{ large }]);
});

test('requests are answered with a value, or with the problem of who serves them', async () => {
  const { clock, agent, console } = twoEnds();
  agent.serve('whiteline.to.a.ask', async (value) => {
    if (value === 'ping') return { pong: 1 };
    throw new WhitelineError({ code: 'NAME_IN_USE', message: 'It is held by\u0007 two', remedy: 'Wait' });
  });
  const ask = (value: unknown): Promise<unknown> =>
    clock.until(console.request('whiteline.to.a.ask', value, 1000));
  await expect(ask('ping')).resolves.toEqual({ pong: 1 });
  await expect(ask('pong')).rejects.toMatchObject({
    ...{ code: 'NAME_IN_USE', message: 'It is held by\\u0007 two', remedy: 'Wait' },
  });
  await expect(ask(new Uint8Array(600_000))).rejects.toMatchObject({ code: 'INTERNAL' });
});

test('a request that no end serves, that is not answered, or that cannot be sent fails by name', async () => {
  const { clock, server, agent, console } = twoEnds();
  const ask = (): Promise<unknown> => clock.until(console.request('whiteline.to.a.ask', 1, 1000));
  await expect(ask()).rejects.toMatchObject({ code: 'AGENT_UNREACHABLE' });
  agent.serve('whiteline.to.a.ask', async () => undefined);
  await expect(ask()).resolves.toBeUndefined();
  server.cut('agent', 'console');
  await expect(ask()).rejects.toMatchObject({ code: 'AGENT_SILENT' });
  server.mend('agent', 'console');
  agent.disconnect();
  await expect(ask()).rejects.toMatchObject({ code: 'AGENT_UNREACHABLE' });
  console.disconnect();
  await expect(ask()).rejects.toMatchObject({ code: 'BUS_UNREACHABLE' });
});

test('what cannot be decoded, and what is never complete, is counted and dropped', async () => {
  const { clock, server, agent, console, heard } = twoEnds();
  agent.publishBytes('whiteline.from.a.x', Uint8Array.of(0xc1));
  agent.publishBytes('whiteline.from.a.x', Uint8Array.of(0x91));
  let carried = 0;
  server.way = () => (carried++ === 1 ? [] : [0]);
  agent.publish('whiteline.from.a.x', new Uint8Array(1_200_000));
  await clock.pass(1000);
  expect([heard, console.refused]).toEqual([[], 2]);
  await clock.pass(10_000);
  expect([heard, console.refused, clock.waiting]).toEqual([[], 3, 0]);
});

test('a line may be cut, slow, lossy or twice as good', async () => {
  const { clock, server, agent, heard } = twoEnds();
  const publish = (value: number): void => agent.publish('whiteline.from.a', value);
  server.cut('console', 'agent');
  publish(1);
  server.mend('agent', 'console');
  server.way = () => [20, 10];
  publish(2);
  server.way = () => [];
  publish(3);
  await clock.pass(15);
  expect(heard).toEqual([['whiteline.from.a', 2]]);
  await clock.pass(15);
  expect(heard).toHaveLength(2);
});

test('an end that is not connected sends and hears nothing, and says what it is', async () => {
  const { clock, agent, console, heard } = twoEnds();
  const states: string[] = [];
  const stop = console.onState((state) => states.push(state));
  console.disconnect();
  agent.publish('whiteline.from.a', 1);
  await clock.pass(1);
  console.reconnect();
  agent.publish('whiteline.from.a', 2);
  await clock.pass(1);
  expect(heard).toEqual([['whiteline.from.a', 2]]);
  stop();
  await console.close();
  agent.publish('whiteline.from.a', 3);
  await clock.pass(1);
  expect([heard.length, states, console.state]).toEqual([1, ['reconnecting', 'connected'], 'closed']);
});

test('a subscription that has ended hears nothing', async () => {
  const { clock, agent, console } = twoEnds();
  const heard: unknown[] = [];
  const stop = console.subscribe('whiteline.from.>', (value) => heard.push(value));
  agent.publish('whiteline.from.a', 1);
  stop();
  await clock.pass(1);
  expect(heard).toEqual([]);
});
