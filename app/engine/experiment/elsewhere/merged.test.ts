import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { merged } from './merged';

async function* values(clock: SimulatedClock, name: string, ...atMs: number[]): AsyncGenerator<string> {
  const startNs = clock.monotonicNs();
  for (const ms of atMs) {
    await clock.sleep(ms - (clock.monotonicNs() - startNs) / 1e6);
    yield `${name}${ms}`;
  }
}

async function allOf(generator: AsyncGenerator<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const value of generator) all.push(value);
  return all;
}

test('values come as they are made, but for the first ones, which come in order; none waits for another', async () => {
  const clock = new SimulatedClock();
  const sources = [values(clock, 'a', 300, 900), values(clock, 'b', 100, 200, 1000), values(clock, 'c')];
  expect(await clock.until(allOf(merged(sources)))).toEqual(['a300', 'b100', 'b200', 'a900', 'b1000']);
  expect(clock.monotonicNs() / 1e6).toBeLessThan(60_000 + 1100);
});

test('what one of them throws comes out', async () => {
  const clock = new SimulatedClock();
  async function* broken(): AsyncGenerator<string> {
    yield 'd';
    throw new Error('broken');
  }
  await expect(clock.until(allOf(merged([broken(), values(clock, 'a', 300)])))).rejects.toThrow('broken');
});
