import { expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { firstToAnswer } from './first-to-answer';

/** Attempts that are answered when the test says so, and what became of them. */
function attemptsAt(...names: string[]) {
  const clock = new SimulatedClock();
  const begun: string[] = [];
  const late: string[] = [];
  const settle = new Map<string, { answer(): void; fail(): void }>();
  const attempts = names.map((name) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) =>
      settle.set(name, { answer: () => resolve(name), fail: () => reject(new Error(name)) }),
    );
  });
  const first = firstToAnswer(attempts, clock, (answer) => late.push(answer));
  return { clock, begun, late, first, of: (name: string) => settle.get(name) };
}

test('the next one begins beside one that says nothing, and what answers too late is given back', async () => {
  const { clock, begun, late, first, of } = attemptsAt('off', 'here', 'spare');
  await clock.pass(240);
  expect(begun).toEqual(['off']);
  await clock.pass(20);
  expect(begun).toEqual(['off', 'here']);
  of('here')?.answer();
  expect(await first).toBe('here');
  of('off')?.answer();
  await clock.pass(1000);
  expect([begun, late, clock.waiting]).toEqual([['off', 'here'], ['off'], 0]);
});

test('one that fails is followed at once, and all problems are told where none is left', async () => {
  const { clock, begun, first, of } = attemptsAt('a', 'b');
  of('a')?.fail();
  await clock.pass(10);
  expect(begun).toEqual(['a', 'b']);
  of('b')?.fail();
  await expect(first).rejects.toMatchObject({ errors: [{ message: 'a' }, { message: 'b' }] });
});
