import { expect, test } from 'vitest';
import { machineClock } from '../engine/clock';
import { openBetween } from '../experiments/pacing/between-machines';
import { pacingParameters } from '../experiments/pacing/declaration';
import { measure } from '../experiments/pacing/measure';
import { streamPlan } from '../experiments/pacing/stream-plan';
import { agentIds } from '../testing/nats-server';
import { temporaryFolder } from '../testing/temporary-folder';
import { RealFleet } from './real-fleet.fixture';

// The real pacer at two agents of this machine, at a real nats-server.

const folder = temporaryFolder();

test('what a sender on one machine does wrong, the receiver on another one counts', async () => {
  const bench = await RealFleet.start(folder);
  await bench.agent('render-1', agentIds[0], '127.0.0.1');
  await bench.agent('display-1', agentIds[1], '127.0.0.2');
  const { signal } = new AbortController();
  const events: string[] = [];
  const context = {
    ...{ clock: machineClock, folder, signal },
    noteEvent: (_: string, text: string) => void events.push(text),
    helper: {
      start: () => {
        throw new Error('nothing starts here');
      },
    },
    machines: { take: (_: string, name: string) => bench.machine(name) },
  };
  const given = { sendOn: 'render-1', receiveOn: 'display-1', holdSeconds: 1, intervalUs: 1000 };
  const parameters = pacingParameters.parse({ ...given, stamps: 'software' });
  const path = await openBetween(parameters, context);
  expect(path).toMatchObject({ kind: 'machines', address: '127.0.0.2' });
  const order = {
    ...{ parameters, path, stream: streamPlan(parameters), index: 0, onSecond: () => undefined },
    irregularities: '5:withheld 9:doubled 20:swapped 40:withheld 41:withheld',
  };
  const plan = { method: 'timer', packetsPerWakeUp: 1, streams: null, repeat: null } as const;
  const found = await measure(context, order, plan);
  expect(found?.sent).toMatchObject({ slots: 1000, sent: 998 });
  expect(found?.received).toMatchObject({
    ...{ received: 997, lost: 3, lostRanges: [5, 5, 40, 41], duplicated: 1, duplicates: [9] },
    ...{ reordered: 1, latecomers: [20], foreign: 0, damaged: 0 },
  });
  expect(found?.intervals.received?.count).toBe(997);
  expect(found?.policy).toMatchObject({ realTimePriority: 0, lockedMemory: false });
  expect(events).toEqual([]);
});
