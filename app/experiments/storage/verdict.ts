import type { RunVerdict } from '../../engine/experiment/experiment';
import { othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import { worseVerdict } from '../../facts/verdict';

/**
 * The worst of all rows; the sentence is that of each folder’s sequential read, then of the first row that spoils the run. Why a row
 * does not count comes first.
 */
export function storageVerdict(rows: readonly ClosedRow[]): RunVerdict {
  const decided = rows.filter((row) => numberOf(row, 'storage.hapQStreams') !== null);
  const verdict = worseVerdict(decided.length > 0 ? 'PASS' : 'WARN', worstVerdictOf(rows));
  // The sentence of a folder's sequential read is there already.
  const worst = rows.find(
    (row) => row.verdict === verdict && row.verdict !== 'PASS' && !decided.includes(row),
  );
  const worded = worst ? [...decided, worst] : decided;
  const isInvalid = (row: ClosedRow): boolean => row.verdict === 'INVALID';
  const ordered = [...worded.filter(isInvalid), ...worded.filter((row) => !isInvalid(row))];
  const sentences = [
    ...ordered.map(
      (row) =>
        `${isInvalid(row) || row === worst ? `${row.label}:` : scalarOf(row, 'storage.folder')} ${wordsOf(row.reason)}`,
    ),
    ...othersTexts(rows, ...worded),
  ];
  const nothing = 'no sequential read was measured, so it is not known how many Hap Q streams can be played';
  return { verdict, reason: [...sentences, ...(decided.length > 0 ? [] : [nothing])].join('. ') };
}
