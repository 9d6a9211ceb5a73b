import type { HeatMapDeclaration } from '../../app/experiments/declaration';
import { metricFor } from '../../app/facts/metrics/registry';
import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import { numberOf, scalarOf } from '../../app/facts/row-figures';
import type { Verdict } from '../../app/facts/verdict';
import { worstFirst } from '../../app/facts/worst-first';
import { figure, metricFigure, notMeasuredSign } from '../format';
import { texts } from '../texts';

/** What a map of pairs shows, in the window and in the report. */

export interface HeatCell {
  from: string;
  to: string;
  /** Null: there is no row of this pair yet, or it is still open. */
  verdict: Verdict | null;
  /** How deep its colour is, by the share that was lost: 0 to 4. */
  level: number;
  /** The share that was lost in %, as far as a cell has room for it. */
  share: string;
  /** All that is known of the pair, in words. */
  words: string;
}

export interface HeatGrid {
  /** Of the rows and of the columns, in the order in which they were named. */
  names: readonly string[];
  /** By the machine that sends; null: a machine and itself. */
  lines: readonly { from: string; cells: readonly (HeatCell | null)[] }[];
  /** Of the rows that were measured; null: none was. */
  worst: HeatCell | null;
}

export function heatGrid(rows: readonly Row[], map: HeatMapDeclaration): HeatGrid {
  const ends = (row: Row): [string, string] => [endOf(row, map.from), endOf(row, map.to)];
  const byPair = new Map(rows.map((row) => [JSON.stringify(ends(row)), row]));
  const froms = rows.map((row) => endOf(row, map.from));
  // Of a map that is not complete yet, the machines that send later are known as those that receive.
  const names = [...new Set([...froms.slice(0, 1), ...rows.map((row) => endOf(row, map.to)), ...froms])];
  const cellOf = (from: string, to: string): HeatCell => {
    const row = byPair.get(JSON.stringify([from, to]));
    return row ? cellOfRow(row, from, to, map) : { ...unmeasured, from, to, words: words.notYet(from, to) };
  };
  const [worst] = worstFirst(rows, map);
  return {
    names,
    lines: names.map((from) => ({
      from,
      cells: names.map((to) => (to === from ? null : cellOf(from, to))),
    })),
    worst: worst && worst.verdict !== null ? cellOfRow(worst, ...ends(worst), map) : null,
  };
}

const words = texts.heatMap;
const unmeasured = { verdict: null, level: 0, share: '' } as const;

function endOf(row: Row, id: string): string {
  return String(scalarOf(row, id) ?? '');
}

function cellOfRow(row: Row, from: string, to: string, map: HeatMapDeclaration): HeatCell {
  const { verdict } = row;
  if (verdict === null) return { ...unmeasured, from, to, words: words.open(from, to) };
  const lostPercent = numberOf(row, map.lostPercent);
  const figures = [map.lostPercent, map.rateMbps, ...map.beside].flatMap((id) => figureText(row, id));
  return {
    ...{ from, to, verdict, level: levelOf(lostPercent), share: shareText(lostPercent) },
    words: words.pair(from, to, verdict, figures.join(', '), wordsOf(row.reason)),
  };
}

/** What was not measured is left out: the table says why. */
function figureText(row: Row, id: string): string[] {
  const metric = metricFor(id);
  const value = numberOf(row, id);
  if (value === null) return [];
  const offBy = metric.offBy === undefined ? null : numberOf(row, metric.offBy);
  const range = offBy === null ? '' : ` ± ${figure(offBy, metric.digits)}`;
  return [`${metric.heading} ${metricFigure(value, metric)}${range} ${metric.unit}`.trim()];
}

const levelsFromPercent = [1, 10, 50];

/** 0: nothing was lost, or it is not known. */
export function levelOf(lostPercent: number | null): number {
  if (lostPercent === null || lostPercent <= 0) return 0;
  return 1 + levelsFromPercent.filter((from) => lostPercent >= from).length;
}

/** Neither a loss that looks like none, nor one that looks like all. */
export function shareText(lostPercent: number | null): string {
  if (lostPercent === null) return notMeasuredSign;
  if (lostPercent === 0) return '0';
  if (lostPercent < 0.1) return '<0.1';
  if (lostPercent < 9.95) return figure(lostPercent, 1);
  return lostPercent > 99 && lostPercent < 100 ? '>99' : figure(lostPercent);
}
