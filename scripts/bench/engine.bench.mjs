import { withEngineLoad } from './engine-load.mjs';
import { figure } from './figures.mjs';

export const area = 'engine';

const load = { streams: 4, format: '1280x720@60' };
const figures = [
  { id: 'engine.event-loop-delay-p99', unit: 'ms', of: (result) => result.delayMs.p99, atMost: 5 },
  { id: 'engine.event-loop-delay-p50', unit: 'ms', of: (result) => result.delayMs.p50 },
  { id: 'engine.event-loop-delay-max', unit: 'ms', of: (result) => result.delayMs.max },
  { id: 'engine.cpu', unit: '% of a core', of: (result) => result.cpuPercentOfCore.engine },
  { id: 'engine.memory-mb', unit: 'MB', of: (result) => largest(result.memory, 'engineMb') },
  { id: 'engine.memory-mb-sending', unit: 'MB', of: (result) => largest(result.memory, 'sendingMb') },
  { id: 'engine.memory-mb-receiving', unit: 'MB', of: (result) => largest(result.memory, 'receivingMb') },
];

/** What the engine costs and how promptly it answers while four streams run. */
export async function run({ seconds = 30 }) {
  try {
    const result = await withEngineLoad((runLoad) => runLoad({ ...load, seconds }));
    return figures.map(({ of, ...measured }) => figure({ ...measured, value: of(result) }));
  } catch (error) {
    return figures.map(({ of, ...measured }) => figure({ ...measured, notMeasured: error.message }));
  }
}

function largest(memory, field) {
  return Math.max(...memory.map((look) => look[field]));
}
