import { medianOf, oneRepeat, standardDeviationOf } from '../../engine/experiment/repeats';
import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import type { Fact } from '../../facts/fact';
import { type Finding, type JudgedRow, judgeRow } from '../../facts/precedence';
import { reasonOf } from '../../facts/reason-words';
import type { Reasoned } from '../../facts/reasoned';
import type { ClosedRow } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import { symmetricDifferencePercent } from '../../facts/symmetric-difference';
import type { Verdict } from '../../facts/verdict';
import { storageContradictions } from './contradictions';
import { type StorageOperation, type StorageTest, storageDeclaration } from './declaration';
import type { FioReport } from './fio-report';
import type { MeasuredFolder } from './folder';
import { type HapQNeed, hapQStreams } from './hap-q';

/** One test of one folder. */
export interface MeasuredTest {
  folder: MeasuredFolder;
  operation: StorageOperation;
  test: StorageTest;
  /** Fewer than wanted where the run ended early. */
  passes: FioReport[];
  wantedPasses: number;
  direct: boolean;
  /** Of fio. */
  args: readonly string[];
  /** What another program did to the test file meanwhile. */
  changes: readonly Fact[];
  /** Of the first folder in the same test; null: this is the first folder, or it has none. */
  first: FirstRow | null;
}

export type FirstRow = Pick<ClosedRow, 'verdict' | 'figures'>;

/** What the verdict rests on. */
export interface Demand {
  need: HapQNeed;
  /** Movies that have to play at once. */
  streams: number;
  /** The test whose read rate decides; null: none was asked for. */
  decidingTest: StorageTest | null;
}

/** A disk that is only just fast enough stutters as soon as anything else reads from it. */
export const headroom = 1.2;

export function storageRow(
  frame: RowFrame & { index: number },
  measured: MeasuredTest,
  demand: Demand,
): ClosedRow {
  const { folder, operation, test, passes } = measured;
  const rates = passes.map(({ megabytesPerSecond }) => megabytesPerSecond);
  const best = Math.max(...rates);
  const median = medianOf(rates) ?? Number.NaN;
  const { lineRateMbps } = folder;
  const { first } = measured;
  const firstBest = first && first.verdict !== 'INVALID' ? numberOf(first, 'storage.bestMBps') : null;
  const decides = operation === 'read' && test === demand.decidingTest;
  const values = {
    folder: folder.name,
    operation,
    test,
    bestMBps: best,
    medianMBps: median,
    spreadMBps: standardDeviationOf(rates),
    medianIops: medianOfAll(passes.map(({ requestsPerSecond }) => requestsPerSecond)),
    latencyP99Ms: medianOfAll(passes.map(({ latencyP99Ms }) => latencyP99Ms)),
    cpuPercent: frame.cpuPercent,
    lineRatePercent: lineRateMbps === null ? null : (100 * 8 * median) / lineRateMbps,
    differencePercent: firstBest === null ? null : symmetricDifferencePercent(firstBest, best),
    hapQStreams: decides ? hapQStreams(median, demand.need) : null,
  };
  const reasons: Record<string, string> = {
    spreadMBps: oneRepeat,
    medianIops: 'fio does not report requests a second in each pass',
    latencyP99Ms: 'fio does not report percentiles of the time of a request in each pass',
    cpuPercent: 'no load sample lies wholly within the row',
    lineRatePercent: folder.lineRateSource,
    differencePercent: first
      ? 'the row of the first folder is INVALID'
      : 'there is no earlier folder to hold it against',
    hapQStreams: 'reported for the sequential read that decides',
  };
  const known = Object.entries(values).map(([key, value]): [string, Reasoned] => [
    `storage.${key}`,
    [value, reasons[key] ?? 'not measured'],
  ]);
  const details = { command: ['fio', ...measured.args].join(' '), direct: measured.direct, passes };
  const row = tableRow(frame, frame.index, `${folder.name}, ${operation} ${test}`, details);
  return {
    ...withFigures(row, storageDeclaration, Object.fromEntries(known)),
    ...judge(frame, measured, median, decides ? demand : null),
  };
}

function judge(frame: RowFrame, measured: MeasuredTest, median: number, demand: Demand | null): JudgedRow {
  const { passes, wantedPasses, direct } = measured;
  const done = passes.length;
  const short = done < wantedPasses ? [reasonOf('passes-short', { done, wanted: wantedPasses })] : [];
  const found = demand ? [enough(median, demand)] : [];
  const verdict = demand ? verdictOf(median, demand) : 'PASS';
  const findings: Finding[] =
    verdict === 'PASS' ? [] : found.map((fact) => ({ verdict, fact, kind: 'loss' }));
  if (!direct) findings.push({ verdict: 'WARN', fact: reasonOf('through-memory'), kind: 'remark' });
  const row = judgeRow({
    contradictions: [...measured.changes, ...storageContradictions(measured, frame.measuredSeconds / done)],
    absent: done === 0 ? short : [],
    findings,
    guards: frame.guards,
    // Of a rate that nothing is wanted of, the rate itself is all there is.
    restsOnGuards: demand === null,
    good: found,
  });
  const also = done > 0 ? short : [];
  if (row.verdict === 'INVALID') return { ...row, reason: [...row.reason, ...also] };
  return { ...row, reason: [...also, ...(verdict === 'PASS' && !direct ? found : []), ...row.reason] };
}

/** Null as soon as one pass does not report it. */
function medianOfAll(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length === values.length ? medianOf(known) : null;
}

function verdictOf(median: number, { need, streams }: Demand): Exclude<Verdict, 'INVALID'> {
  const wanted = streams * need.megabytesPerSecond;
  if (median >= headroom * wanted) return 'PASS';
  return median >= wanted ? 'WARN' : 'FAIL';
}

/** Enough for how many movies, or not. */
function enough(median: number, { need, streams }: Demand): Fact {
  const { format, megabytesPerSecond: eachMBps, assumption } = need;
  const possible = hapQStreams(median, need);
  const data = { readMBps: median, streams, possible, format, eachMBps, assumption };
  if (possible < streams) return reasonOf('reads-too-slowly', data);
  const roomy = hapQStreams(median / headroom, need);
  return reasonOf('reads-fast-enough', { ...data, roomy, sparePercent: 100 * (headroom - 1) });
}
