import type { Verdict } from '../../app/facts/verdict';
import type { StreamView } from '../../app/protocol/console';

/** PASS says that what was counted is good: until the first second is counted there is no verdict. */
export function shownVerdict({ state, verdict, lostNow, deliveredFps }: StreamView): Verdict | null {
  const isUncounted = state === 'receiving' && lostNow === null && deliveredFps === null;
  return isUncounted && verdict === 'PASS' ? null : verdict;
}
