import path from 'node:path';
import { note } from '../setup/report.mjs';
import { figure, median } from './figures.mjs';
import { cpuPercentOf, ownCpuSecondsOf } from './process-cpu.mjs';
import { withPrograms } from './whiteline-programs.mjs';

export const area = 'fleet';

/** For what is compiled first. */
const settleMs = 10_000;
const betweenMs = 1000;
/** For what is late. */
const spareSeconds = 30;

/**
 * What an agent's own process takes of the CPU, its stream hosts left out: without a console, and while it sends streams for one. The
 * difference is what the streams cost it: their records, the samples that the console hears, and the sampling of their processes.
 */
export function run({ seconds = 20, streams = 16, size = '320x180', windows = 3 }) {
  return withPrograms(async ({ start, whiteline, folder, ids }) => {
    await start(['fleet', 'start', '--listen', '127.0.0.1', '--port', '0'], /fleet invite/);
    const file = path.join(folder, 'render-1.json');
    whiteline('fleet', 'invite', 'render-1', '--output', file);
    await start(['agent', file], /is ready/);
    const agent = ids().slice(-1);
    const measured = async (what) => {
      const percents = [];
      for (let window = 0; window < windows; window++)
        percents.push(
          await cpuPercentOf(agent, seconds, window === 0 ? settleMs : betweenMs, ownCpuSecondsOf),
        );
      note('bench', `agent ${what}: ${percents.map((one) => one.toFixed(2)).join(', ')} %`);
      return median(percents);
    };
    const alone = await measured('without a console');
    // While streams warm up, the agent does for them all that it does in a row; but on a machine with other work nothing ends the run.
    const warmUpSeconds = Math.ceil(windows * (seconds + betweenMs / 1000) + settleMs / 1000 + spareSeconds);
    const ramp = ['--start', String(streams), '--max-streams', String(streams), '--hold', '2s'];
    const load = [
      '--send-on',
      'render-1',
      '--format',
      `${size}@30`,
      '--warm-up',
      `${warmUpSeconds}s`,
      ...ramp,
    ];
    await start(
      ['run', 'stream-load', ...load, '--out', path.join(folder, 'run')],
      new RegExp(`${streams} of ${streams} · Warming up`),
    );
    const sending = await measured(`that sends ${streams} streams`);
    const unit = '% of a core';
    return [
      figure({ id: 'fleet.agent-alone', unit, value: alone }),
      figure({ id: `fleet.agent-${streams}`, unit, value: sending }),
      figure({ id: `fleet.agent-telemetry-${streams}`, unit, value: sending - alone, atMost: 1 }),
    ];
  });
}
