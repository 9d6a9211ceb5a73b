import { expect, test, vi } from 'vitest';
import { Helpers } from '../../engine/capabilities/helper/helpers';
import { machineClock } from '../../engine/clock';
import { machineBooks } from '../../engine/machine/machine-books';
import { attackSeed } from '../../testing/attack';
import { holdersOf, networkOf } from '../../testing/network-holders';
import { Random } from '../../testing/random';
import { fanOutParameters } from './declaration';
import { beginAheadMs, matchLimitMs, measure } from './measure';
import { openPath } from './path';

/** In the start of its processes, their discovery, the time before the first sample, or behind it. */
const latestKillMs = 900;

test(`wherever a process is killed, the row ends with its name, and nothing is left: seed ${attackSeed}`, async () => {
  const random = new Random(attackSeed);
  const roles = ['fan-out-publisher', 'fan-out-subscribers', 'fan-out-counter'];
  const kills = Array.from({ length: 14 }, (_, index) => ({
    ...{ role: random.pick(roles), afterMs: random.whole(0, latestKillMs), domain: 180 + index },
  }));
  await Promise.all(kills.map(killed));
});

async function killed({
  role,
  afterMs,
  domain,
}: {
  role: string;
  afterMs: number;
  domain: number;
}): Promise<void> {
  const ports = { domain, groupPort: 8200 + domain };
  const parameters = fanOutParameters.parse({ ...ports, namespaces: 1, link: 20, holdSeconds: 30 });
  const path = await openPath(parameters);
  const helper = new Helpers(machineClock, () => undefined);
  const plan = {
    ...({ measure: 'throughput', case: 'multicast reliable', sampleBytes: 1024, subscribers: 2 } as const),
    repeat: null,
  };
  const ends = [path.publisher, ...path.subscribers];
  const networks = ends.map(({ inside: [, , processId = ''] }) => networkOf(processId));
  const context = {
    clock: machineClock,
    machine: machineBooks,
    samples: () => [],
    helper,
    signal: new AbortController().signal,
  };
  const nothing = { onBegin: () => undefined, onSecond: () => undefined };
  const order = { parameters, plan, path, index: 0, run: 'attacked', matchLimitMs, beginAheadMs, ...nothing };
  const outcome = expect(measure(context, order)).rejects.toThrow(/was killed \(SIGKILL\)/);
  await vi.waitFor(() => expect(helper.processIds[role] ?? []).not.toEqual([]), { interval: 1 });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const [victim] = helper.processIds[role] ?? [];
  if (victim !== undefined) process.kill(victim, 'SIGKILL');
  await outcome;
  expect(helper.processIds).toEqual({});
  await path.close();
  expect(holdersOf(networks)).toEqual([]);
}
