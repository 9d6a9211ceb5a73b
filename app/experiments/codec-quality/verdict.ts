import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { numberOf, scalarOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { worseVerdict } from '../../facts/verdict';
import { invalidBy } from '../../facts/why-not';
import { exact } from './metrics';

/** A row in which no pair was compared proves nothing about the codec. */
export function withoutPairs(row: StreamsRow, why: string): StreamsRow {
  return { ...row, ...invalidBy([reasonOf('nothing-compared', { why })], row) };
}

/**
 * The verdict of a run: the worst of its rows, and FAIL where the worst frame is below the limit that was set.
 * @param cases rows that the run should have, without the baseline
 */
export function codecQualityVerdict(
  rows: readonly StreamsRow[],
  cases: number,
  leastPsnrDb?: number,
): RunVerdict {
  const measured = rows.filter(({ step }) => step.streams > 0);
  const decided = decidingRow(rows);
  let verdict = worseVerdict(measured.length < cases ? 'FAIL' : 'PASS', worstVerdictOf(rows));
  // Pictures of an INVALID row do not judge the codec.
  const worst = worstRow(measured.filter((row) => row.verdict !== 'INVALID'));
  const nothing = worstRow(measured) ? 'all rows with a comparison are INVALID' : 'nothing was compared';
  const parts = [worst ? `${worst.label} lost most: ${lossText(worst)}` : nothing];
  if (measured.length < cases) parts.push(`${measured.length} of ${cases} rows were measured`);
  const psnrDb = worst ? worstPsnrDb(worst) : Number.POSITIVE_INFINITY;
  if (leastPsnrDb !== undefined && psnrDb < leastPsnrDb) {
    verdict = worseVerdict(verdict, 'FAIL');
    parts.push(`that is below the limit of ${leastPsnrDb} dB`);
  }
  if (decided)
    parts.push(`${decided.label || 'baseline'}: ${wordsOf(decided.reason)}`, ...othersTexts(rows, decided));
  return { verdict, reason: parts.join('; ') };
}

/** Of the frame that lost most, dB; infinite where nothing differs. NaN: not measured. */
function worstPsnrDb(row: StreamsRow): number {
  const value = scalarOf(row, 'quality.worstPsnrYDb');
  if (value === exact) return Number.POSITIVE_INFINITY;
  return typeof value === 'number' ? value : Number.NaN;
}

function worstRow(rows: readonly StreamsRow[]): StreamsRow | undefined {
  return rows
    .filter((row) => !Number.isNaN(worstPsnrDb(row)))
    .sort((a, b) => (worstPsnrDb(a) === worstPsnrDb(b) ? 0 : worstPsnrDb(a) - worstPsnrDb(b)))[0];
}

function lossText(row: StreamsRow): string {
  const psnrDb = worstPsnrDb(row);
  if (!Number.isFinite(psnrDb)) return 'nothing, every compared frame came as it was sent';
  const similarity = numberOf(row, 'quality.worstSsimY');
  const ssim = similarity !== null ? `, SSIM ${similarity.toFixed(3)}` : '';
  return `luma of its worst frame has ${psnrDb.toFixed(1)} dB${ssim}`;
}
