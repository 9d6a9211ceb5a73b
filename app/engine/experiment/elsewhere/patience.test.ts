import { expect, test } from 'vitest';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { longestSilenceSeconds, Patience } from './patience';

function patienceOf(seconds: number) {
  const clock = new SimulatedClock();
  const said: string[] = [];
  const patience = new Patience(clock, seconds, (words) => said.push(words));
  return { clock, said, patience };
}

test('what is expected counts twice, with a reserve and what takes time without a word', () => {
  expect(longestSilenceSeconds(10)).toBe(50);
  expect(longestSilenceSeconds(10, 5)).toBe(55);
  expect(longestSilenceSeconds(null)).toBe(7230);
});

test('silence ends it; a word puts that off', async () => {
  const { clock, said, patience } = patienceOf(50);
  await clock.pass(49_000);
  patience.hear();
  await clock.pass(49_000);
  expect(said).toEqual([]);
  await clock.pass(1000);
  expect(said).toEqual(['said nothing for 50 s']);
});

test('words without an end put off no longer than four times that', async () => {
  const { clock, said, patience } = patienceOf(50);
  for (let second = 0; second < 199; second++) {
    patience.hear();
    await clock.pass(1000);
  }
  expect(said).toEqual([]);
  await clock.pass(1000);
  expect(said).toEqual(['did not end within 200 s']);
});

test('once closed it waits for nothing, and a time that no timer counts does not end at once', async () => {
  const { clock, said, patience } = patienceOf(4e9);
  await clock.pass(100_000_000);
  expect(said).toEqual([]);
  patience.close();
  expect(clock.waiting).toBe(0);
});
