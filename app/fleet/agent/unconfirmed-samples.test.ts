import { expect, test } from 'vitest';
import { loadSample } from '../../testing/load-sample';
import { settled } from '../../testing/time-passes';
import { Fleet } from '../console/fleet';
import { Bench, leaseKeyOf } from '../fleet.fixture';

interface Said {
  load: { cpuPercent: number } | null;
  samples: { cpuPercent: number }[];
}

/** CPU of the samples that the newest presence says again, and of its load. */
function said(bench: Bench): (number | undefined)[] {
  const { load, samples } = bench.bus.newest('whiteline.from.*.presence') as Said;
  return [...samples.map(({ cpuPercent }) => cpuPercent), load?.cpuPercent];
}

function sample(bench: Bench, cpuPercent: number): number {
  const atNs = bench.clock.monotonicNs();
  bench.sample(loadSample({ atNs, cpuPercent, roles: {} }));
  return atNs;
}

test('a sample is said again until the console with the lease has it, and to the next console from the first on', async () => {
  const bench = new Bench();
  bench.agent();
  const fence = await bench.acquire();
  const madeNs: number[] = [];
  for (const percent of [1, 2, 3]) {
    madeNs.push(sample(bench, percent));
    await bench.clock.pass(200);
  }
  await bench.clock.pass(400);
  expect(said(bench)).toEqual([1, 2, 3]);
  const renewed = async (sampledNs?: number | null): Promise<unknown> => {
    await bench.ask({ name: 'lease.renew', fence, sampledNs });
    await bench.clock.pass(1000);
    return said(bench);
  };
  expect(await renewed(null)).toEqual([1, 2, 3]);
  expect(await renewed(madeNs[1])).toEqual([3]);
  // One that was late on the way.
  expect(await renewed(madeNs[0])).toEqual([3]);
  sample(bench, 4);
  expect(await renewed(madeNs[1])).toEqual([3, 4]);
  await expect(
    bench.ask({ name: 'lease.renew', fence, key: leaseKeyOf('another'), sampledNs: madeNs[2] }),
  ).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  await bench.clock.pass(1000);
  expect(said(bench)).toEqual([3, 4]);
  await bench.ask({ name: 'lease.release', fence });
  await bench.acquire('control-2');
  await bench.clock.pass(1000);
  expect(said(bench)).toEqual([1, 2, 3, 4]);
});

test('a console confirms what it has: in a quiet time a presence says the samples of two seconds at most, and none is missing', async () => {
  const bench = new Bench();
  bench.agent();
  const { bus, clock } = bench;
  const fleet = new Fleet({
    ...{ bus, clock, version: '1.0.0', holder: 'control-1', transport: 'ndi' },
    openChannel: bench.channels.open,
    onLost: (name, words) => bench.lost.push(`${name} ${words}`),
  });
  const machine = await settled(clock, fleet.find('render-1'));
  await clock.pass(2000);
  const repeated: number[] = [];
  for (let number = 1; number <= 20; number++) {
    sample(bench, number);
    await clock.pass(500);
    repeated.push(said(bench).length);
  }
  await clock.pass(1000);
  expect(machine?.samples.map(({ cpuPercent }) => cpuPercent)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
  expect(Math.max(...repeated)).toBeLessThanOrEqual(4);
});
