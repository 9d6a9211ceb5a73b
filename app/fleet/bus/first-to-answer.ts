import type { Clock } from '../../protocol/clock';

/** An attempt has so long before the next one begins beside it, ms. */
const headStartMs = 250;

/**
 * Begins one attempt after the other, the next one at once where the one before failed, and takes the first that succeeds. A machine that is
 * off does not answer: the next one is asked meanwhile.
 * @param giveBack what succeeds after the first one
 * @throws AggregateError of all problems if each attempt fails
 */
export function firstToAnswer<Answer>(
  attempts: readonly (() => Promise<Answer>)[],
  clock: Pick<Clock, 'after'>,
  giveBack: (late: Answer) => void,
): Promise<Answer> {
  const waiting = [...attempts];
  const problems: unknown[] = [];
  let isOver = false;
  let stopWaiting = (): void => undefined;
  return new Promise((resolve, reject) => {
    const begin = (): void => {
      stopWaiting();
      const attempt = waiting.shift();
      if (!attempt || isOver) return;
      stopWaiting = clock.after(headStartMs, begin);
      attempt().then(
        (answer) => {
          if (isOver) return giveBack(answer);
          isOver = true;
          stopWaiting();
          resolve(answer);
        },
        (problem) => {
          problems.push(problem);
          if (problems.length === attempts.length) reject(new AggregateError(problems));
          else begin();
        },
      );
    };
    begin();
  });
}
