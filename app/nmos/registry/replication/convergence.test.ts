import { expect, test } from 'vitest';
import { Client } from '../../../testing/nmos-client';
import { Site, Way } from '../../../testing/nmos-pair';
import { cases, Random, seeds } from '../../../testing/random';
import { aheadOf, SimulatedClock } from '../../../testing/simulated-clock';

const expiryMs = 6000;
const mostAheadMs = 1_800_000;
const clients = 5;
const steps = 40;
/** A snapshot has what is older. */
const writtenMs = 1250;

/** What a seed does to two registries, and what is held at the end. */
async function run(seed: number): Promise<void> {
  const random = new Random(seed);
  const clock = new SimulatedClock();
  const aheads = [random.whole(-mostAheadMs, mostAheadMs), random.whole(-mostAheadMs, mostAheadMs)];
  const sites = [1, 2].map(
    (number) =>
      new Site(
        `site ${number}`,
        aheadOf(clock, () => aheads[number - 1] ?? 0),
        expiryMs,
      ),
  ) as [Site, Site];
  const problems: string[] = [];
  for (const site of sites) await site.start();
  const way = new Way(clock, ...sites, problems);
  const nodes = Array.from({ length: clients }, (_, number) => new Client(number + 1, sites));
  for (const node of nodes) clock.every(Client.beatMs, () => void node.beat());
  for (let step = 0; step < steps; step++) {
    await clock.pass(random.whole(0, 1500));
    const kind = random.whole(0, 9);
    if (kind < 7) await random.pick(nodes).act(random);
    else if (kind === 7) way.cut();
    else if (kind === 8) way.isUp = true;
    else {
      const site = random.pick(sites);
      if (random.chance(0.3)) aheads[sites.indexOf(site)] = random.whole(-mostAheadMs, mostAheadMs);
      await clock.pass(writtenMs);
      site.kill();
      await clock.pass(random.whole(0, 15_000));
      await site.start();
    }
  }
  way.isUp = true;
  const isAlike = (): boolean => sites[0].held().join() === sites[1].held().join();
  const expectAlike = async (): Promise<void> => {
    // What one has just heard, the other hears a moment later.
    for (let moment = 0; moment < 5 && !isAlike(); moment++) await clock.pass(20);
    expect(sites[0].held(), 'alike').toEqual(sites[1].held());
  };
  await clock.pass(5000);
  await expectAlike();
  // What died expires.
  await clock.pass(expiryMs + 4000);
  await expectAlike();
  expect(sites[0].held(), 'as wanted').toEqual(nodes.flatMap((node) => node.wanted()).sort());
  expect(problems).toEqual([]);
  expect(sites.flatMap(({ log }) => log).filter((line) => /could not|cannot/.test(line))).toEqual([]);
}

const group = 50;

test.each(
  seeds.flatMap((seed) => Array.from({ length: cases(1, 40) }, (_, number) => seed + number * group)),
)(
  'two registries hold the same, and what is alive, whatever restarts and is cut (seeds from %i)',
  async (first) => {
    const failed: string[] = [];
    for (let seed = first; seed < first + group; seed++)
      await run(seed).catch((error: unknown) => failed.push(`seed ${seed}: ${error}`));
    expect(failed).toEqual([]);
  },
);
