import { type Metric, metricOf } from '../../app/protocol/metrics/registry';
import { texts } from '../texts';

export interface ColumnGroup {
  heading: string;
  columns: Column[];
}

export interface Column {
  metric: Metric;
  /** The metric's heading, without what the group says already. */
  heading: string;
}

const { groups } = texts.table;

function group(heading: string, metricIds: string[]): ColumnGroup {
  const prefix = `${heading} `;
  const columns = metricIds.map((id) => {
    const metric = metricOf(id);
    if (!metric.heading.startsWith(prefix)) return { metric, heading: metric.heading };
    const short = metric.heading.slice(prefix.length);
    return { metric, heading: short.charAt(0).toUpperCase() + short.slice(1) };
  });
  return { heading, columns };
}

function loadGroup(heading: string, side: 'sender' | 'receiver'): ColumnGroup {
  return group(heading, [`${side}.cpuMaxPercent`, `${side}.gpuMaxPercent`, `${side}.networkMaxMbps`]);
}

/** The columns of the study's table, between the number of streams and the verdict. */
export const studyColumns: readonly ColumnGroup[] = [
  loadGroup(groups.sender, 'sender'),
  loadGroup(groups.receiver, 'receiver'),
  group(groups.frames, ['framesLateSource', 'framesSenderMissed', 'framesSubmitted', 'framesReceived']),
  group(groups.lost, [
    'framesDropped',
    'framesDroppedReceiverQueue',
    'framesDroppedTransport',
    'framesUndecodable',
  ]),
  group(groups.time, ['latencyMs.p99', 'longestGapMs']),
];

/** The columns of the report's table of single streams. */
export const streamColumns: readonly Metric[] = [
  'framesScheduled',
  'framesLateSource',
  'framesLateSourceDisk',
  'framesLateSourceDecode',
  'framesLateSourceDamaged',
  'framesSenderMissed',
  'framesSubmitted',
  'framesReceived',
  'framesDropped',
  'framesDroppedReceiverQueue',
  'framesDroppedTransport',
  'framesUndecodable',
  'framesDuplicated',
  'framesReordered',
  'framesTorn',
  'framesDamaged',
  'stalls',
  'connectMs',
  'codeHealthMin',
  'latencyMs.p50',
  'latencyMs.p99',
  'latencyMs.max',
  'longestGapMs',
].map(metricOf);
