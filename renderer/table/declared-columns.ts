import { spreadsOf } from '../../app/experiments/declaration';
import { declarations } from '../../app/experiments/declarations';
import { type ColumnRole, type Column as DeclaredColumn, machineColumn } from '../../app/facts/column';
import { metricFor, metrics } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { figureOf, isOfStreams, numberOf } from '../../app/facts/row-figures';
import { texts } from '../texts';
import { type Column, type ColumnGroup, group, studyColumnsOf } from './columns';

const { groups } = texts.table;
const { step, measure, spread, count, judged } = groups;
const loads = [groups.senderAll, groups.receiverAll, groups.sender, groups.receiver];
const sides = [...loads, groups.frames, groups.lost, groups.time];
const own = [step, measure, spread, count, judged];
/** Of streams the study's columns come first, and what the experiment adds to them after. */
const streamOrder: readonly string[] = [...sides, ...own];
const valueOrder: readonly string[] = [step, judged, measure, spread, ...sides, count];

/** The number of streams stands in the first column of every row of streams. */
const leadMetric = 'streams';

/**
 * An experiment's columns by its declaration and the roles that they have there, in groups; a spread follows its
 * measure. Rows of streams say where frames were lost too, and have those of a frame's way in the study's order.
 */
export function declaredColumnsOf(
  declared: readonly DeclaredColumn[],
  rows: readonly Row[],
): readonly ColumnGroup[] {
  const hasStreams = rows.some(isOfStreams);
  const spreads = spreadsOf(declared);
  const beside = new Set([...spreads.values()].map(({ id }) => id));
  const ids = new Map<string, Set<string>>();
  const put = (heading: string, id: string): void => {
    ids.set(heading, (ids.get(heading) ?? new Set()).add(id));
  };
  const isOfSeveral = rows.some(({ step }) => step.machine !== undefined);
  for (const { metric, role } of isOfSeveral ? [machineColumn, ...declared] : declared) {
    if (!beside.has(metric) && !(hasStreams && metric === leadMetric)) put(headingOf(metric, role), metric);
  }
  if (hasStreams) {
    const lost = studyColumnsOf(rows).find(({ heading }) => heading === groups.lost);
    for (const { metric } of lost?.columns ?? []) put(groups.lost, metric.id);
  }
  const order = hasStreams ? streamOrder : valueOrder;
  return [...ids]
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([heading, metricIds]) =>
      group(heading, heading === groups.frames ? inOrderOfWay(metricIds) : [...metricIds]),
    )
    .map(({ heading, columns }) => ({
      heading,
      columns: columns.map((column): Column => ({ ...column, spread: spreads.get(column.metric.id) })),
    }));
}

/** The registry lists the figures of frames in the order of a frame's way. */
function inOrderOfWay(ids: ReadonlySet<string>): string[] {
  return metrics.filter(({ id }) => ids.has(id)).map(({ id }) => id);
}

function headingOf(id: string, role: ColumnRole): string {
  const { group } = metricFor(id);
  return group ? groups[group] : { step, repeat: step, measure, spread, count, verdict: judged }[role];
}

const repeatMetrics: ReadonlySet<string> = new Set(
  declarations
    .flatMap(({ columns }) => columns.filter(({ role }) => role === 'repeat'))
    .map(({ metric }) => metric),
);

/**
 * Without those that no row has a figure of, and every row a reason why not: these stand together below the tables. Nor is a column of
 * repeats shown where nothing was repeated.
 */
export function filledColumns(all: readonly ColumnGroup[], rows: readonly Row[]): readonly ColumnGroup[] {
  const isMissing = (row: Row, id: string): boolean =>
    figureOf(row, id) === null && row.notMeasured[id] !== undefined;
  const isOnce = (id: string): boolean =>
    repeatMetrics.has(id) && rows.every((row) => (numberOf(row, id) ?? 1) === 1);
  return all
    .map(({ heading, columns }) => ({
      heading,
      columns: columns.filter(
        ({ metric }) => !rows.every((row) => isMissing(row, metric.id)) && !isOnce(metric.id),
      ),
    }))
    .filter(({ columns }) => columns.length > 0);
}

/** How many columns fit beside the reason, on paper and on a screen; fewer in a narrow window. */
const room = { wide: { streams: 16, values: 12 }, narrow: { streams: 11, values: 8 } } as const;
/** Text needs the room of this many figures. */
const wordsWidth = 2;

/** Groups of columns as several tables, none of them too wide. */
export function splitColumns(
  all: readonly ColumnGroup[],
  rows: readonly Row[],
  width: keyof typeof room = 'wide',
): ColumnGroup[][] {
  const most = room[width][rows.some(isOfStreams) ? 'streams' : 'values'];
  const tables: ColumnGroup[][] = [];
  let left = 0;
  for (const { heading, columns } of all) {
    for (const column of columns) {
      const width = column.metric.shape === 'words' ? wordsWidth : 1;
      if (width > left) {
        tables.push([]);
        left = most;
      }
      left -= width;
      const table = tables.at(-1);
      const last = table?.at(-1);
      if (last?.heading === heading) last.columns.push(column);
      else table?.push({ heading, columns: [column] });
    }
  }
  return tables;
}
