import { withFigures } from '../../engine/experiment/row-values';
import { knownLostFramesOf } from '../../facts/lost-frames';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import type { ClosedRow } from '../../facts/row';
import { numberOf, scalarOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { alsoFound, invalidBy } from '../../facts/why-not';
import { type MachineName, thisMachine } from '../../protocol/stream-parameters';
import { matrixDeclaration } from './declaration';
import type { Pair } from './pair-row';

/** What the link of a pair carried before its stream; where a figure is null, why. */
export interface PairLink {
  mbps: number | null;
  whyNoMbps: string;
  rttMs: number | null;
  whyNoRtt: string;
  /** Rate that TCP reached at least; the link may carry more. Null: not known. */
  atLeastMbps: number | null;
}

/** Nothing of it was measured. */
export function noLink(why: string): PairLink {
  return { mbps: null, whyNoMbps: why, rttMs: null, whyNoRtt: why, atLeastMbps: null };
}

const echoes = 3;

/** Parameters of the experiment `link` for one short test of TCP from the sender to the receiver. */
export function linkParametersOf({ from, to }: Pair): Record<string, unknown> {
  const nameOf = (machine: MachineName): string => machine ?? thisMachine;
  return {
    ...{ sendOn: nameOf(from), receiveOn: nameOf(to), protocols: ['tcp'], directions: ['send'] },
    ...{ repeats: 1, holdSeconds: 1, omitSeconds: 0, pings: echoes },
  };
}

/** Out of the rows of the experiment `link`: what is INVALID proves nothing about the link. */
export function linkOf(rows: readonly ClosedRow[]): PairLink {
  const figure = (protocol: string, id: string): [number | null, string] => {
    const row = rows.find((one) => scalarOf(one, 'link.protocol') === protocol) ?? rows.at(-1);
    if (!row) return [null, 'the link was not measured'];
    if (row.verdict === 'INVALID') return [null, wordsOf(row.reason)];
    return [numberOf(row, id), row.notMeasured[id] ?? wordsOf(row.reason)];
  };
  const [mbps, whyNoMbps] = figure('TCP', 'link.throughputMbps');
  const [rttMs, whyNoRtt] = figure('ping', 'link.rttMs');
  return { mbps, whyNoMbps, rttMs, whyNoRtt, atLeastMbps: movedMbps(rows) };
}

/** Of a row of TCP that does not count as what the link carries; what contradicts itself did not move either. */
function movedMbps(rows: readonly ClosedRow[]): number | null {
  const row = rows.find((one) => scalarOf(one, 'link.protocol') === 'TCP');
  const isFalse = row?.reason.some(({ code }) => code === 'contradiction' || code === 'not-as-asked');
  return row && !isFalse ? numberOf(row, 'link.throughputMbps') : null;
}

/** The row of a pair with what its link carried, which is judged by a limit alone, and stands beside what its stream lost. */
export function withLink<Kind extends ClosedRow | StreamsRow>(
  row: Kind,
  link: PairLink,
  leastMbps: number | undefined,
): Kind {
  const { mbps, whyNoMbps, rttMs, whyNoRtt } = link;
  const isBelow = leastMbps !== undefined && mbps !== null && mbps < leastMbps;
  const measured = withFigures(isBelow ? row : withCarried(row, link), matrixDeclaration, {
    'matrix.linkMbps': [mbps, whyNoMbps],
    'matrix.rttMs': [rttMs, whyNoRtt],
  });
  if (leastMbps === undefined || (mbps !== null && !isBelow)) return measured;
  const fact =
    mbps === null
      ? reasonOf('pair-link-unknown', { leastMbps, why: whyNoMbps })
      : reasonOf('pair-link-below', { mbps, leastMbps });
  // A FAIL of its stream is proved, whatever is not known of its link.
  if (mbps === null && row.verdict !== 'FAIL') return { ...measured, ...invalidBy([fact], measured) };
  if (row.verdict === 'FAIL') return { ...measured, reason: alsoFound(measured, [fact]) };
  return { ...measured, verdict: 'FAIL', reason: [fact, ...(row.verdict === 'PASS' ? [] : measured.reason)] };
}

/** It is no cause of the loss: TCP was alone on the link. */
function withCarried<Kind extends ClosedRow | StreamsRow>(row: Kind, { mbps, atLeastMbps }: PairLink): Kind {
  if ((knownLostFramesOf(row) ?? 0) === 0) return row;
  if (mbps !== null) return { ...row, reason: [...row.reason, reasonOf('pair-link-carried', { mbps })] };
  if (atLeastMbps === null) return row;
  const fact = reasonOf('pair-link-carried-at-least', { mbps: atLeastMbps });
  return { ...row, reason: [...row.reason, fact] };
}
