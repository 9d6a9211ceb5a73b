import { expect, test } from 'vitest';
import { SimulatedClock } from '../testing/simulated-clock';
import { keepAliveMs } from './host';
import { KeepAlive } from './keep-alive';

function watched(): { clock: SimulatedClock; agent: KeepAlive; ends: number[] } {
  const clock = new SimulatedClock();
  const ends: number[] = [];
  return { clock, agent: new KeepAlive(clock, () => ends.push(clock.monotonicNs())), ends };
}

test('a host that no agent speaks to goes on', async () => {
  const { clock, ends } = watched();
  await clock.pass(3_600_000);
  expect([ends, clock.waiting]).toEqual([[], 0]);
});

test.each([0, 1, keepAliveMs - 1])(
  'it ends once, 5 to 5.5 s after it last heard its agent (%d ms after it looked)',
  async (ms) => {
    const { clock, agent, ends } = watched();
    agent.hear();
    for (let count = 0; count < 20; count++) {
      await clock.pass(keepAliveMs);
      agent.hear();
    }
    await clock.pass(ms);
    agent.hear();
    await clock.pass(4999);
    expect(ends).toEqual([]);
    await clock.pass(501);
    expect(ends).toHaveLength(1);
    await clock.pass(60_000);
    expect(ends).toHaveLength(1);
  },
);

test('an agent that says it late, and less often, keeps its host', async () => {
  const { clock, agent, ends } = watched();
  for (let count = 0; count < 20; count++) {
    agent.hear();
    await clock.pass(4900);
  }
  expect(ends).toEqual([]);
});
