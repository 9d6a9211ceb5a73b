import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SimulatedBench } from '../../testing/simulated-bench';
import { SimulatedFleet } from '../../testing/simulated-fleet';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readRun } from '../sessions/read-run';

/** Streams that an operator adds by hand, received on several machines in turn. */

const folder = temporaryFolder();
let bench: SimulatedBench;
let fleet: SimulatedFleet;
beforeEach(async () => {
  bench = await SimulatedBench.start(folder);
  fleet = new SimulatedFleet(bench);
  for (const name of ['display-1', 'display-2']) fleet.start(name);
});
afterEach(() => bench.close());

const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' as const };
const receiveOn = 'display-1,display-2,this machine';
const add = (places: object = { receiveOn }) =>
  bench.execute({ name: 'addStream', parameters: { ...source, ...places } as never });
const shown = () => bench.engine.state().streams;
const until = (isSo: () => boolean) => bench.clock.untilSo(isSo);
/** Whose lease a console has, by what the agents say. */
const holders = async () => {
  await bench.clock.pass(1000);
  return fleet.holders();
};

async function addedAll(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await add();
  await until(() => shown().length === count && shown().every(({ state }) => state === 'receiving'));
  await until(() => bench.engine.rows().open !== null);
  await bench.clock.pass(2000);
}

test('streams come to the machines in turn; a removed one leaves its place to the next', async () => {
  await addedAll(4);
  const places = () => shown().map(({ receivedOn }) => receivedOn);
  expect(places()).toEqual(['display-1', 'display-2', null, 'display-1']);
  expect(shown().map(({ verdict }) => verdict)).toEqual(Array(4).fill('PASS'));
  const removed = shown()[1]?.id;
  await bench.execute({ name: 'removeStream', streamId: removed });
  await until(() => shown().length === 3);
  await add();
  await until(() => shown().length === 4);
  expect(places()).toEqual(['display-1', null, 'display-1', 'display-2']);
  await bench.execute({ name: 'stop' });
  const { rows } = readRun(bench.runFolder);
  const receivers = rows.map(({ subjects }) => subjects.map(({ hosts }) => hosts.receiver));
  expect(receivers).toContainEqual(['display-1', 'display-2', hostname(), 'display-1']);
});

test('where one of them is out of reach, the counts of the others go on', async () => {
  await addedAll(3);
  fleet.cut('display-2');
  await bench.clock.pass(2000);
  const before = shown().map(({ framesReceived }) => framesReceived ?? 0);
  await bench.clock.pass(1000);
  const after = shown().map(({ framesReceived }) => framesReceived ?? 0);
  const rises = after.map((frames, index) => frames - (before[index] ?? 0));
  expect(rises).toEqual([30, 0, 30]);
  expect(shown().map(({ stateText }) => /^display-2 is not reachable: /.test(stateText))).toEqual([
    ...[false, true, false],
  ]);
  expect(shown().map(({ framesDropped }) => framesDropped)).toEqual([0, 0, 0]);
  fleet.mend('display-2');
  await bench.clock.pass(6000);
  expect(shown().map(({ framesDropped, verdict }) => [framesDropped, verdict])).toEqual(
    Array(3).fill([0, 'PASS']),
  );
});

test('one that is gone is named, and its stream can be removed while the others are received', async () => {
  await addedAll(3);
  fleet.cut('display-2');
  await until(() => fleet.lost.length === 1);
  await bench.clock.pass(10_000);
  expect(shown()[1]?.stateText).toBe(
    'The receiving process on display-2 was given up: display-2 was not reachable for 5 s',
  );
  expect(shown().map(({ state }) => state === 'receiving')).toEqual([true, false, true]);
  const received = shown()[0]?.framesReceived ?? 0;
  await bench.clock.pass(1000);
  expect(shown()[0]?.framesReceived).toBe(received + 30);
  await expect(add()).rejects.toMatchObject({
    message: 'A stream process on display-2 is gone, and the streams of this run with it',
  });
  await bench.execute({ name: 'removeStream', streamId: shown()[1]?.id });
  await until(() => shown().length === 2);
  await bench.execute({ name: 'stop' });
  fleet.mend('display-2');
  expect(await holders()).toEqual({ 'display-1': null, 'display-2': null });
});

test.each([
  ['an agent that is not there', { receiveOn: 'display-1,nowhere' }],
  ['a sender that is not there', { sendOn: 'nowhere', receiveOn: 'display-2' }],
  ['a movie that its agent does not have', { sendOn: 'display-1', source: 'none.mov' }],
])('a stream that fails by %s leaves no machine to this console', async (_, given) => {
  await expect(add(given)).rejects.toMatchObject({ message: expect.any(String) });
  expect(await holders()).toEqual({ 'display-1': null, 'display-2': null });
  expect(bench.engine.state()).toMatchObject({ mode: 'idle', streams: [] });
});

test('a stream that its agent refuses gives the machine back, and ends the run that it began', async () => {
  fleet.start('display-3', { streams: 1, format: null, minutes: null });
  const places = { sendOn: 'display-3', receiveOn: 'display-3' };
  await expect(add(places)).rejects.toMatchObject({ message: expect.stringContaining('at most 1 streams') });
  expect((await holders())['display-3']).toBeNull();
  expect(bench.engine.state()).toMatchObject({ mode: 'idle', streams: [] });
  // The next one begins anew.
  await add({ receiveOn: 'display-1' });
  await until(() => shown()[0]?.state === 'receiving');
});
