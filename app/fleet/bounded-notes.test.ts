import { expect, test } from 'vitest';
import { SimulatedClock } from '../testing/simulated-clock';
import { BoundedNotes } from './bounded-notes';

function bench() {
  const clock = new SimulatedClock();
  const said: string[] = [];
  return { clock, said, notes: new BoundedNotes(clock, (text) => said.push(text)) };
}

test('of one cause the first note is said at once, then each minute how many more there were', async () => {
  const { clock, said, notes } = bench();
  for (let count = 1; count <= 1000; count++) notes.note('secret', `refused ${count}`);
  notes.note('name', 'unknown');
  expect(said).toEqual(['refused 1', 'unknown']);
  await clock.pass(60_000);
  expect(said.slice(2)).toEqual(['refused 1000 (one of 999 such lines in the last minute)']);
  notes.note('secret', 'refused again');
  await clock.pass(60_000);
  expect(said.slice(3)).toEqual(['refused again']);
  await clock.pass(60_000);
  expect(clock.waiting).toBe(0);
  notes.note('secret', 'refused at last');
  expect(said.slice(4)).toEqual(['refused at last']);
});

test('many causes are said of as one, and its end leaves no timer', () => {
  const { clock, said, notes } = bench();
  for (let cause = 1; cause <= 500; cause++) notes.note(`cause ${cause}`, `text ${cause}`);
  expect(said).toHaveLength(21);
  notes.close();
  expect(said.slice(21)).toEqual(['text 500 (one of 479 such lines in the last minute)']);
  expect(clock.waiting).toBe(0);
});
