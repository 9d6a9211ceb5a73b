import type { RunVerdict } from '../../engine/experiment/experiment';
import { othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { lossText } from '../../facts/loss-words';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { worstFirst } from '../../facts/worst-first';
import { matrixHeatMap } from './declaration';

/** The worst of the pairs, which is named first, with its cause. */
export function matrixVerdict(rows: readonly ClosedRow[]): RunVerdict {
  const [worst] = worstFirst(rows, matrixHeatMap);
  if (!worst) return { verdict: 'INVALID', reason: 'no pair was measured' };
  const verdict = worstVerdictOf(rows);
  if (verdict === 'PASS')
    return { verdict, reason: `each of ${rows.length} pairs carried its stream, and no frame was lost` };
  return { verdict, reason: [`${worst.label}: ${causeOf(worst)}`, ...othersTexts(rows, worst)].join('; ') };
}

function causeOf({ reason, subjects }: ClosedRow): string {
  const losses = subjects.flatMap((stream) => stream.losses ?? []);
  const [largest] = [...losses].sort((one, other) => other.frames - one.frames);
  const words = wordsOf(reason);
  return largest ? `${words}; its largest loss: ${lossText(largest)}` : words;
}
