import { withConsole } from '../bench/console/console-program.mjs';
import { figuresOfHour, hourOrder } from '../bench/console/hour-figures.mjs';
import { withEngineLoad } from '../bench/engine-load.mjs';
import { figure, printFigures } from '../bench/figures.mjs';
import { slopePerMinute } from '../bench/slope.mjs';
import { setUp } from '../setup/index.mjs';
import { note, SetupError, step } from '../setup/report.mjs';

const load = { streams: 4, format: '640x360@60' };
// Caches and pools fill in the first minute; V8 enlarges the engine's young generation for some minutes more, so that
// growth without end is judged by the second half. Both slopes are shown.
const settlingSeconds = 60;
const noGrowthMbPerMinute = 1;
const processes = { engine: 'engineMb', sending: 'sendingMb', receiving: 'receivingMb' };

/** Streams for `minutes`, then runs the window through an hour. False if memory or counts are wrong. */
export async function soakStreams({ minutes }) {
  const { electron } = await setUp(['bench', 'console']);
  const title = `${load.streams} streams of ${load.format} for ${minutes} minutes`;
  const result = await step('soak', title, (onProgress) => soak(minutes, onProgress));
  printFigures(growthFigures(result.memory));
  const hour = await step('soak', 'the window through an hour that is replayed', () =>
    withConsole(electron.executable, (measure) => measure(hourOrder)),
  );
  printFigures(figuresOfHour(hour));
  return printSums(result.row);
}

async function soak(minutes, onProgress) {
  const onMemory = (look) => {
    const megabytes = Object.entries(processes).map(
      ([name, field]) => `${name} ${look[field].toFixed(1)} MB`,
    );
    onProgress(`second ${look.second}: ${megabytes.join(', ')}`);
  };
  try {
    return await withEngineLoad((runLoad) =>
      runLoad({ ...load, seconds: Math.round(minutes * 60) }, onMemory),
    );
  } catch (error) {
    throw new SetupError(
      `the streams did not run to the end: ${error.message}`,
      'npm run whiteline -- doctor',
    );
  }
}

function growthFigures(memory) {
  const half = memory[memory.length - 1].second / 2;
  const growth = (id, fromSecond, fields, atMost) => {
    const megabytes = (look) => fields.reduce((sum, field) => sum + look[field], 0);
    const settled = memory.filter((look) => look.second > fromSecond);
    const value = slopePerMinute(settled.map((look) => [look.second, megabytes(look)]));
    return figure({ id, unit: 'MB/min', value, atMost });
  };
  const all = Object.values(processes);
  return [
    growth('soak.memory-growth', half, all, noGrowthMbPerMinute),
    ...Object.entries(processes).map(([name, field]) => growth(`soak.memory-growth-${name}`, half, [field])),
    growth('soak.memory-growth-after-minute-1', settlingSeconds, all),
  ];
}

/** Says what became of every frame; false when the sums do not hold. */
function printSums(row) {
  const counts = Object.entries(row).filter(([key, value]) => /^(frames|pictures|stalls)/.test(key) && value);
  for (const [key, value] of counts) note('soak', `${key}: ${value}`);
  note('soak', `${row.verdict}: ${row.reason}`);
  note('soak', row.conserved ? 'the sums hold' : 'THE SUMS DO NOT HOLD');
  return row.conserved === true;
}
