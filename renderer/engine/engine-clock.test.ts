import { expect, test } from 'vitest';
import { EngineClock } from './engine-clock';

test('the clock of the engine is that of the message that came fastest, and goes on while nothing comes', () => {
  let nowMs = 1000;
  const clock = new EngineClock(() => nowMs);
  expect(clock.wallMs).toBeUndefined();
  for (const [atMs, wallMs] of [
    [1000, 4_999_000],
    [2000, 5_001_990],
    [3000, 5_002_700],
  ] as const) {
    nowMs = atMs;
    clock.hear(wallMs);
  }
  nowMs = 11_000;
  expect(clock.wallMs).toBe(5_010_990);
  clock.forget();
  expect(clock.wallMs).toBeUndefined();
});
