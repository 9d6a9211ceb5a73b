import { standstillGuards } from '../engine/load/standstills';
import { brokenGuards } from '../facts/precedence';
import { wordsOf } from '../facts/reason-words';
import type { Clock } from '../protocol/clock';
import { problemText, toProblem } from '../protocol/errors';
import { defaultThresholds } from '../protocol/thresholds';
import type { OwnStandstillWatch } from '../standstill/own-standstill';

const lookEveryMs = 10_000;

/**
 * Reports when a process without rows stood still for too long in the last 10 s, because others may measure the effects.
 * @returns a function that ends it
 */
export function logStandstills(
  role: string,
  own: Pick<OwnStandstillWatch, 'take'>,
  clock: Pick<Clock, 'every'>,
  log: (line: string) => void,
): () => void {
  const look = (): void => {
    try {
      const pieces = own.take().map((one) => ({ ...one, who: { role } }));
      const facts = brokenGuards(standstillGuards(pieces, defaultThresholds));
      if (facts.length > 0) log(wordsOf(facts));
    } catch (error) {
      log(problemText(toProblem(error)));
      stop();
    }
  };
  const stop = clock.every(lookEveryMs, look);
  return stop;
}
