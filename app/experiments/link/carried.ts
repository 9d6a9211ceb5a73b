import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';

/** Whether a row was held at the rate of streams. */
export function isHeld(row: ClosedRow): boolean {
  return numberOf(row, 'link.ndiStreams') !== null;
}

/** Of each protocol and direction of such rows: how many streams' worth came through without loss, as all smaller numbers did. */
export function carriedTexts(held: readonly ClosedRow[]): string[] {
  const ladders = new Map<string, ClosedRow[]>();
  for (const row of held) {
    const way = scalarOf(row, 'link.direction') === 'send' ? 'to' : 'from';
    const key = `${scalarOf(row, 'link.protocol')} ${way} the other end`;
    ladders.set(key, [...(ladders.get(key) ?? []), row]);
  }
  return [...ladders].map(([key, rows]) => `${key}: ${carriedText(rows)}`);
}

function carriedText(rows: readonly ClosedRow[]): string {
  const sorted = [...rows].sort((one, other) => streamsOf(one) - streamsOf(other));
  let last: ClosedRow | null = null;
  for (const row of sorted) {
    if (isCarried(row)) last = row;
    else if (last === null && row.verdict === 'INVALID')
      return 'how many streams’ worth it carries is not known';
    else break;
  }
  if (last === null)
    return isTcp(sorted[0])
      ? 'not even one stream’s worth without segments sent again'
      : 'not even one stream’s worth without loss';
  const targetMbps = numberOf(last, 'link.targetMbps') ?? Number.NaN;
  return wordsOf([reasonOf('streams-carried', { streams: streamsOf(last), targetMbps })]);
}

function streamsOf(row: ClosedRow): number {
  return numberOf(row, 'link.ndiStreams') ?? 0;
}

function isTcp(row: ClosedRow | undefined): boolean {
  return row !== undefined && scalarOf(row, 'link.protocol') === 'TCP';
}

/** Nothing of it was lost, or had to be retransmitted, whatever else there is to say about the row. */
function isCarried(row: ClosedRow): boolean {
  const lost = numberOf(row, isTcp(row) ? 'link.retransmits' : 'link.lossPercent');
  return lost === 0 && (row.verdict === 'PASS' || row.verdict === 'WARN');
}
