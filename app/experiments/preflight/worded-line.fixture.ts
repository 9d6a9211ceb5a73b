import { wordsOf } from '../../facts/reason-words';
import { textOfFound } from './found-reasons';
import type { Line } from './line';

/** A line as tables show it. */
export function worded({ state, found, details }: Line) {
  const text = textOfFound(found, wordsOf);
  if (!text) throw new Error(`${found.code} has no words`);
  return { state, advice: '', command: '', ...text, details };
}
