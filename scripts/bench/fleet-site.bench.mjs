import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from './bundle.mjs';
import { figure } from './figures.mjs';
import { withPrograms } from './whiteline-programs.mjs';

export const area = 'fleet';

const execute = promisify(execFile);
/** Each agent says what it is twice a second, more often than a real one does. */
const perSecond = 2;

/**
 * A console in a fleet of 1,000 agents on one server: until it has listed all, the time to connect included, and what it takes of the
 * CPU while they speak. One agent is real, the others say what it says, each by a connection of its own.
 */
export function run({ agents = 1000, seconds = 10 }) {
  return withPrograms(async ({ start, end, whiteline, environment, folder }) => {
    const program = await bundleProgram('fleet-site', folder);
    const fleet = path.join(folder, 'config/whiteline/fleet');
    const words = (action, given = {}) => [JSON.stringify({ action, folder: fleet, ...given })];
    const act = async (...given) =>
      JSON.parse(
        (await execute(process.execPath, [program, ...words(...given)], { env: environment })).stdout,
      );
    const startFleet = (...flags) => start(['fleet', 'start', ...flags], /fleet invite/);
    await startFleet('--listen', '127.0.0.1', '--port', '0');
    await end(0);
    await act('invite', { agents });
    await startFleet();
    const file = path.join(folder, 'real.json');
    whiteline('fleet', 'invite', 'real', '--output', file);
    await start(['agent', file], /is ready/);
    await start(words('speak', { perSecond }), /"agents"/, program);
    const { listed, listedMs, cpuPercent } = await act('listen', { version: 'bench', seconds });
    if (listed !== agents) throw new Error(`${listed} of ${agents} agents were listed`);
    return [
      figure({ id: `fleet.list-${agents}`, unit: 's', value: listedMs / 1000, atMost: 2 }),
      figure({ id: `fleet.console-${agents}`, unit: '% of a core', value: cpuPercent, atMost: 100 }),
    ];
  });
}
