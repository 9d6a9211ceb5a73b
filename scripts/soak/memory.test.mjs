import { expect, test } from 'vitest';
import { growthFigures } from './memory.mjs';

const rounds = 40;

/** MB of each process by the round. */
function memoryOf(held) {
  return Array.from({ length: rounds }, (_, round) => ({
    ...{ engine: 100, engineHeap: 10, sending: 50, receiving: 80, bareSending: 60, bareReceiving: 70 },
    ...held(round),
  }));
}

function missed(memory) {
  return growthFigures(memory)
    .filter(({ met }) => !met)
    .map(({ id }) => id);
}

test('what a process takes in the first quarter is no growth', () => {
  expect(missed(memoryOf((round) => ({ sending: Math.min(50 + 20 * round, 250) })))).toEqual([]);
});

test('a host may grow as the bare SDK does, and by 10 MB', () => {
  const growing = (share) => memoryOf((round) => ({ sending: share * round, bareSending: 2 * round }));
  expect(missed(growing(2.2))).toEqual([]);
  expect(missed(growing(2.6))).toEqual(['soak.memory-sending']);
  expect(missed(memoryOf((round) => ({ sending: 0.6 * round, bareSending: -round })))).toEqual([
    'soak.memory-sending',
  ]);
});

test('the engine has no peer', () => {
  expect(missed(memoryOf((round) => ({ engineHeap: round, receiving: 3 * round })))).toEqual([
    'soak.memory-receiving',
    'soak.memory-engineHeap',
  ]);
});
