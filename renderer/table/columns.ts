import { type Metric, metricFor, rowMetrics } from '../../app/facts/metrics/registry';
import type { Row } from '../../app/facts/row';
import { numberOf } from '../../app/facts/row-figures';
import { texts } from '../texts';
import { shownColumns, wasShown } from './shown-columns';

export interface ColumnGroup {
  heading: string;
  columns: Column[];
}

export interface Column {
  metric: Metric;
  /** The metric's heading, without what the group says already. */
  heading: string;
  /** The spread of the repeats, shown after the figure. */
  spread?: Metric;
}

const { groups } = texts.table;

/** A group of these figures, under headings without what the group's own says already. */
export function group(heading: string, metricIds: string[]): ColumnGroup {
  const columns = metricIds.map((id) => {
    const metric = metricFor(id);
    return { metric, heading: metric.headingInGroup ?? metric.heading };
  });
  return { heading, columns };
}

function loadGroup(heading: string, side: 'sender' | 'receiver'): ColumnGroup {
  return group(heading, [`${side}.cpuMaxPercent`, `${side}.gpuMaxPercent`, `${side}.networkMaxMbps`]);
}

/** Where frames of our own streams were lost. */
const lostMetrics = [
  'framesDropped',
  'framesDroppedReceiverQueue',
  'framesDroppedTransport',
  'framesUndecodable',
];

/** In the order of a frame's way. */
const frameMetrics = ['framesLateSource', 'framesSenderMissed', 'framesSubmitted', 'framesReceived'];

/**
 * The columns of the study's table, between the number of streams and the verdict. What is missing of streams that are
 * not ours has one only where there is such a stream, spoilt frames only where some came, the cost of outages only where
 * there was one, and what was not shown only where a display window was open.
 */
export function studyColumnsOf(rows: readonly Row[]): readonly ColumnGroup[] {
  const isForeign = rows.some(({ subjects }) =>
    subjects.some((subject) => numberOf(subject, 'framesMissing') !== null),
  );
  const had = (metric: string): boolean => rows.some((row) => (numberOf(row, metric) ?? 0) > 0);
  return [
    loadGroup(groups.senderAll, 'sender'),
    loadGroup(groups.receiverAll, 'receiver'),
    group(groups.frames, rows.some(wasShown) ? [...frameMetrics, 'framesDisplayMissed'] : frameMetrics),
    group(groups.lost, [
      ...lostMetrics,
      ...(had('framesSpoilt') ? ['framesSpoilt'] : []),
      ...(had('framesInOutages') ? ['framesInOutages'] : []),
      ...(isForeign ? ['framesMissing'] : []),
    ]),
    group(groups.time, ['latencyMs.p99', 'longestGapMs']),
  ];
}

const ofStreams = rowMetrics.filter(
  (metric) => metric.aggregate && !metric.isDetail && !shownColumns.includes(metric),
);

/** As many columns fit on paper beside one another. */
const mostOnPaper = 13;

/** Tables of about as many columns each. */
export function tablesOf(columns: readonly Metric[]): readonly (readonly Metric[])[] {
  const tables = Math.ceil(columns.length / mostOnPaper);
  const width = Math.ceil(columns.length / tables);
  return Array.from({ length: tables }, (_, index) => columns.slice(index * width, (index + 1) * width));
}

/** The columns of tables of single streams: what was counted, and the rest. */
export const countTables = tablesOf(ofStreams.filter(({ whole }) => whole));
export const timeTables = tablesOf(ofStreams.filter(({ whole }) => !whole));
