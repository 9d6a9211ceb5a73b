import type { RunVerdict } from '../../engine/experiment/experiment';
import { decidingRow, othersTexts, worstVerdictOf } from '../../engine/streams/rows/deciding-row';
import { wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import type { FanOutCase } from './declaration';

const pairs: readonly [unicast: FanOutCase, multicast: FanOutCase][] = [
  ['unicast best-effort', 'multicast best-effort'],
  ['unicast reliable', 'multicast reliable'],
];
/** Of what multicast gave each subscriber: less than this is behind it. */
const behindShare = 0.9;

/** That of the worst row, in its words; before them, where unicast fell behind multicast and what was full then. */
export function fanOutVerdict(rows: readonly ClosedRow[]): RunVerdict {
  if (rows.length === 0) return { verdict: 'INVALID', reason: 'no row was measured' };
  const row = decidingRow(rows) ?? rows.at(-1);
  const texts = [
    ...behindTexts(rows.filter(isComparable)),
    ...(row ? [`${row.label}: ${wordsOf(row.reason)}`, ...othersTexts(rows, row)] : []),
  ];
  return { verdict: worstVerdictOf(rows), reason: texts.join('; ') };
}

/** Fewer subscribers that matched get more each. */
function isComparable(row: ClosedRow): boolean {
  const isThroughput = scalarOf(row, 'ddsFanOut.measure') === 'throughput';
  return isThroughput && row.verdict !== 'INVALID' && numberOf(row, 'ddsFanOut.unmatched') === 0;
}

/** Size by size, for each pair of cases that were both measured. */
function behindTexts(rows: readonly ClosedRow[]): string[] {
  const sizes = new Set(rows.map((row) => numberOf(row, 'ddsFanOut.sampleBytes')));
  return [...sizes].flatMap((sampleBytes) =>
    pairs.flatMap(([unicast, multicast]) => {
      const own = rows.filter((row) => numberOf(row, 'ddsFanOut.sampleBytes') === sampleBytes);
      return behindText(`${sampleBytes} B`, own, unicast, multicast);
    }),
  );
}

function behindText(
  size: string,
  rows: readonly ClosedRow[],
  unicast: FanOutCase,
  multicast: FanOutCase,
): string[] {
  const compared = rows
    .filter((row) => scalarOf(row, 'ddsFanOut.case') === unicast)
    .flatMap((row) => {
      const subscribers = numberOf(row, 'ddsFanOut.subscribers');
      const other = rows.find(
        (candidate) =>
          scalarOf(candidate, 'ddsFanOut.case') === multicast &&
          numberOf(candidate, 'ddsFanOut.subscribers') === subscribers,
      );
      const [own, others] = [row, other].map((one) => one && numberOf(one, 'ddsFanOut.medianMbps'));
      if (typeof own !== 'number' || typeof others !== 'number' || subscribers === null) return [];
      return [{ subscribers, own, others, full: scalarOf(row, 'ddsFanOut.limit') }];
    })
    .sort((one, next) => one.subscribers - next.subscribers);
  const most = compared.at(-1);
  if (!most || most.subscribers < 2) return [];
  const first = compared.find(({ own, others }) => own < behindShare * others);
  if (!first) return [`${size}, ${unicast} keeps up with multicast to ${most.subscribers} subscribers`];
  const rates = `${first.own.toFixed(1)} of ${first.others.toFixed(1)} Mb/s`;
  const from = first.subscribers === 1 ? 'from 1 subscriber on' : `from ${first.subscribers} subscribers on`;
  return [`${size}, ${unicast} is behind multicast ${from} (${rates} each; full then: ${first.full})`];
}
