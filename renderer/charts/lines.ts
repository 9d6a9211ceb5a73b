import type { Metric } from '../../app/facts/metrics/registry';
import { metricFor } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { figureOf, numberOf } from '../../app/facts/row-figures';
import { stepTitle } from './step-series';

/** A line of a chart: pairs of x and y. */
export interface Line {
  name: string;
  /** Row of its first point. */
  row: number;
  points: readonly (readonly [x: number, y: number])[];
}

/** A line for each row that has a series. */
export function linesOfSeries(rows: readonly Row[], { id }: Metric): Line[] {
  return rows.flatMap((row) => {
    const figure = figureOf(row, id);
    const isSeries = typeof figure === 'object' && figure !== null && 'points' in figure;
    return isSeries ? [{ name: stepTitle(row), row: row.index, points: figure.points }] : [];
  });
}

/**
 * A number over one of the steps that rows set, a line for all that they set beside it; repeats have lines of their own. None
 * where that step was never varied.
 */
export function linesOverStep(rows: readonly Row[], { id }: Metric, over: string): Line[] {
  const set = rows.flatMap((row) => {
    const [x, y] = [row.step[over], numberOf(row, id)];
    return typeof x === 'number' && y !== null ? [{ row, x, y }] : [];
  });
  if (new Set(set.map(({ x }) => x)).size < 2) return [];
  const names = namesOf(
    set.map(({ row }) => row),
    over,
  );
  const lines = new Map<string, { name: string; row: number; points: [number, number][] }>();
  for (const { row, x, y } of set) {
    const name = names.get(row) ?? '';
    for (let repeat = 1; ; repeat++) {
      const key = repeat === 1 ? name : `${name} (${repeat})`;
      const line = lines.get(key) ?? { name: key, row: row.index, points: [] };
      if (line.points.some(([taken]) => taken === x)) continue;
      lines.set(key, { ...line, points: [...line.points, [x, y]] });
      break;
    }
  }
  return [...lines.values()].map(({ points, ...line }) => ({
    ...line,
    points: points.sort(([one], [other]) => one - other),
  }));
}

/** What distinguishes rows beside that step: words as they are, numbers with their heading. */
function namesOf(rows: readonly Row[], over: string): Map<Row, string> {
  const ids = [...new Set(rows.flatMap(({ step }) => Object.keys(step)))].filter(
    (id) => id !== over && new Set(rows.map(({ step }) => step[id])).size > 1,
  );
  return new Map(
    rows.map((row) => {
      const parts = ids.map((id) => {
        const value = row.step[id];
        return typeof value === 'number' ? `${metricFor(id).heading} ${value}` : String(value ?? '');
      });
      return [row, parts.join(', ')];
    }),
  );
}
