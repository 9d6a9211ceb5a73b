import { withEngineLoad } from './engine-load.mjs';
import { figure } from './figures.mjs';

export const area = 'engine';

const loads = [
  {
    load: { streams: 4, format: '1280x720@60' },
    figures: [
      { id: 'engine.event-loop-delay-p99', unit: 'ms', of: (result) => result.delayMs.p99, atMost: 5 },
      { id: 'engine.event-loop-delay-p50', unit: 'ms', of: (result) => result.delayMs.p50 },
      { id: 'engine.event-loop-delay-max', unit: 'ms', of: (result) => result.delayMs.max },
      { id: 'engine.cpu', unit: '% of a core', of: (result) => result.cpuPercentOfCore.engine },
      { id: 'engine.memory-mb', unit: 'MB', of: (result) => largest(result.memory, 'engineMb') },
      { id: 'engine.memory-mb-sending', unit: 'MB', of: (result) => largest(result.memory, 'sendingMb') },
      { id: 'engine.memory-mb-receiving', unit: 'MB', of: (result) => largest(result.memory, 'receivingMb') },
    ],
  },
  {
    load: { streams: 16, format: '1280x720@60', isSimulated: true },
    figures: [
      { id: 'engine.simulated-16-event-loop-delay-p99', unit: 'ms', of: (result) => result.delayMs.p99 },
      { id: 'engine.simulated-16-event-loop-delay-p50', unit: 'ms', of: (result) => result.delayMs.p50 },
      { id: 'engine.simulated-16-cpu', unit: '% of a core', of: (result) => result.cpuPercentOfCore.engine },
    ],
  },
];

/** What the engine costs and how promptly it answers while streams run. */
export function run({ seconds = 30 }) {
  return withEngineLoad(async (runLoad) => {
    const measured = [];
    for (const { load, figures } of loads)
      measured.push(...(await figuresOf(figures, runLoad({ ...load, seconds, measuresDelay: true }))));
    return measured;
  });
}

/** One load that fails leaves the other its figures. */
async function figuresOf(figures, running) {
  try {
    const result = await running;
    return figures.map(({ of, ...measured }) => figure({ ...measured, value: of(result) }));
  } catch (error) {
    return figures.map(({ of, ...measured }) => figure({ ...measured, notMeasured: error.message }));
  }
}

function largest(memory, field) {
  return Math.max(...memory.map((look) => look[field]));
}
