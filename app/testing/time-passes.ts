import { onTestFinished } from 'vitest';
import type { SimulatedClock } from './simulated-clock';

/** Against hanging alone, and earlier than the limit of a test, so that it ends with the reason. */
const hangsAfterMs = 50_000;
const usualStepMs = 10;

/** Lets simulated time pass until a check holds; connections and files have real time for each step of it. */
export async function eventually(
  clock: SimulatedClock,
  check: () => unknown,
  { stepMs = usualStepMs } = {},
): Promise<void> {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const untilMs = performance.now() + hangsAfterMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (isOver || performance.now() > untilMs) throw error;
    }
    await clock.pass(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Lets simulated time pass until this is over. */
export async function settled<Result>(
  clock: SimulatedClock,
  promise: Promise<Result>,
  { stepMs = usualStepMs } = {},
): Promise<Result> {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  promise.then(end, end);
  const check = (): void => {
    if (!isOver) throw new Error('what the test waits for did not come');
  };
  await eventually(clock, check, { stepMs });
  return promise;
}
