import { figure } from '../figures.mjs';
import { slopePerMinute } from '../slope.mjs';

const minutesPerHour = 60;
/** What a garbage collection leaves varies by this much. */
const noGrowthMbPerHour = 1;

/** Samples, streams and rows come as fast as the window follows, previews at the rate that it asks for in a run. */
export const hourOrder = { measure: 'hour', seconds: 3600, speed: 40, previewsPerSecond: 12 };

export const hourFigures = [
  { id: 'console.heap-growth', unit: 'MB/h', field: 'heapMb', atMost: noGrowthMbPerHour },
  { id: 'console.resident-growth', unit: 'MB/h', field: 'residentMb' },
  { id: 'console.node-growth', unit: 'nodes/h', field: 'nodes' },
  { id: 'console.listener-growth', unit: 'listeners/h', field: 'listeners' },
];

/** Growth over the second half of the replayed hour: the charts and the table are full by then. */
export function figuresOfHour({ looks }) {
  const half = looks[looks.length - 1].second / 2;
  const settled = looks.filter(({ second }) => second > half);
  const growth = hourFigures.map(({ field, ...named }) => {
    const slope = slopePerMinute(settled.map((look) => [look.second, look[field]]));
    return figure({ ...named, value: slope * minutesPerHour });
  });
  return [...growth, figure({ id: 'console.heap', unit: 'MB', value: looks[looks.length - 1].heapMb })];
}
