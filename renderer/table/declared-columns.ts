import type { ColumnRole, Column as DeclaredColumn } from '../../app/protocol/experiments/declaration';
import { metricOf } from '../../app/protocol/metrics/registry';
import { rowValue } from '../../app/protocol/metrics/row-value';
import { isStreamRow, type RunRow, streamRowsOf } from '../../app/protocol/row';
import { texts } from '../texts';
import { type Column, type ColumnGroup, frameMetrics, group, lostMetrics, studyColumnsOf } from './columns';

const { groups } = texts.table;
const { step, measure, spread, count, judged } = groups;
const sides = [groups.sender, groups.receiver, groups.frames, groups.lost, groups.time];
const own = [step, measure, spread, count, judged];
/** Of streams the study's columns come first, and what the experiment adds to them after. */
const streamOrder: readonly string[] = [...sides, ...own];
const valueOrder: readonly string[] = [step, judged, measure, spread, ...sides, count];

/** The number of streams stands in the first column of every row of streams. */
const leadMetric = 'streams';

/**
 * An experiment's columns by its declaration and the roles that they have there, in groups; a spread stands behind its
 * measure. Rows of streams tell where frames were lost too, and have those of a frame's way in the study's order.
 */
export function declaredColumnsOf(
  declared: readonly DeclaredColumn[],
  rows: readonly RunRow[],
): readonly ColumnGroup[] {
  const hasStreams = rows.some(isStreamRow);
  const spreads = spreadsOf(declared);
  const beside = new Set(spreads.values());
  const ids = new Map<string, Set<string>>();
  const put = (heading: string, id: string): void => {
    ids.set(heading, (ids.get(heading) ?? new Set()).add(id));
  };
  for (const { metric, role } of declared) {
    if (!beside.has(metric) && !(hasStreams && metric === leadMetric)) put(headingOf(metric, role), metric);
  }
  if (hasStreams) {
    const lost = studyColumnsOf(streamRowsOf(rows)).find(({ heading }) => heading === groups.lost);
    for (const { metric } of lost?.columns ?? []) put(groups.lost, metric.id);
  }
  const order = hasStreams ? streamOrder : valueOrder;
  return [...ids]
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([heading, metricIds]) => group(heading, inOrderOfWay(metricIds)))
    .map(({ heading, columns }) => ({
      heading,
      columns: columns.map((column): Column => {
        const spreadId = spreads.get(column.metric.id);
        const isWords = rows.some((row) => typeof rowValue(row, column.metric.id) === 'string');
        return { ...column, isWords, spread: spreadId === undefined ? undefined : metricOf(spreadId) };
      }),
    }));
}

/** Others keep their order behind those of a frame's way. */
function inOrderOfWay(ids: ReadonlySet<string>): string[] {
  const others = [...ids].filter((id) => !frameMetrics.includes(id));
  return [...frameMetrics.filter((id) => ids.has(id)), ...others];
}

/** From a measure to the spread that belongs to it: its id begins with that of the measure. */
export function spreadsOf(declared: readonly DeclaredColumn[]): Map<string, string> {
  const spreads = declared.filter(({ role }) => role === 'spread').map(({ metric }) => metric);
  return new Map(
    declared.flatMap(({ metric, role }): [string, string][] => {
      const of = role === 'measure' ? spreads.find((id) => id.startsWith(`${metric}.`)) : undefined;
      return of === undefined ? [] : [[metric, of]];
    }),
  );
}

function headingOf(id: string, role: ColumnRole): string {
  if (id.startsWith('sender.')) return groups.sender;
  if (id.startsWith('receiver.')) return groups.receiver;
  if (lostMetrics.includes(id) || id === 'framesMissing') return groups.lost;
  if (timeIds.test(id)) return groups.time;
  if (role === 'count' && id.startsWith('frames')) return groups.frames;
  return { step, measure, spread, count, verdict: judged }[role];
}

/** Of a row of streams, what is a time. */
const timeIds = /^(latency|longestGap|connect|submitInterval|receiveInterval|submitJitter|receiveJitter)/;

/** So many columns fit on a page of paper, and on a screen, beside the reason; fewer in a narrow window. */
const room = { wide: { streams: 16, values: 12 }, narrow: { streams: 11, values: 8 } } as const;
/** Words need the room of so many figures. */
const wordsWidth = 2;

/** Groups of columns as several tables, none of them too wide. */
export function splitColumns(
  all: readonly ColumnGroup[],
  rows: readonly RunRow[],
  width: keyof typeof room = 'wide',
): ColumnGroup[][] {
  const most = room[width][rows.some(isStreamRow) ? 'streams' : 'values'];
  const tables: ColumnGroup[][] = [];
  let left = 0;
  for (const { heading, columns } of all) {
    for (const column of columns) {
      const width = column.isWords ? wordsWidth : 1;
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
