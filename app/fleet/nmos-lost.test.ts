import { expect, test, vi } from 'vitest';
import { helpersElsewhere } from '../engine/capabilities/helper/helpers-elsewhere';
import type { Launch, LaunchedProcess } from '../engine/capabilities/helper/launch';
import { experimentOf } from '../engine/experiment/experiment-of';
import { madeUpNmosPrograms } from '../experiments/nmos-scale/nmos-programs.fixture';
import { temporaryFolder } from '../testing/temporary-folder';
import { rowTexts, secondsOf, wholeRun } from '../testing/whole-run';
import { ElsewhereBench, prepares } from './elsewhere.fixture';

// Simulated nodes on two machines, of which one is gone in the middle: a bus of memory, a given clock, and programs that follow a script.

// No way of this machine is asked for.
vi.mock('../engine/machines/address-towards', () => ({ addressTowards: async () => '192.0.2.9' }));

const folder = temporaryFolder();
const machines = ['render-1', 'display-1'];

async function scaled(afterMs: number, happens: (bench: ElsewhereBench) => void) {
  const bench = new ElsewhereBench();
  const { clock } = bench;
  const programs = new Set<LaunchedProcess>();
  const watched =
    (launch: Launch): Launch =>
    (program) => {
      const started = launch(program);
      programs.add(started);
      started.on('exit', () => programs.delete(started));
      return started;
    };
  const kinds = new Map(
    [...helpersElsewhere()].map(([kind, one]) => [kind, { ...one, missing: async () => null }]),
  );
  for (const name of machines) {
    const launch = watched(madeUpNmosPrograms(clock, 375));
    bench.start(name, prepares, {}, { helpers: { kinds, launch }, addresses: () => ['192.0.2.1'] });
  }
  clock.after(afterMs, () => happens(bench));
  const whole = await wholeRun({
    ...{ folder, clock, experiment: experimentOf('nmos-scale'), ways: bench.ways },
    launch: watched(madeUpNmosPrograms(clock, 750)),
    parameters: { nodes: 750, on: machines.join(), breaksSeconds: [5, 10] },
  });
  // Where its machine hears nothing more, a program ends with the lease.
  await clock.pass(10_000);
  return { ...whole, programs };
}

test('while both are there, all rows are measured', async () => {
  const { run, outcome, programs } = await scaled(1e6, () => undefined);
  expect(run.rows.map(({ figures }) => figures['nmos.registered'])).toEqual([750, 750, 750]);
  expect([outcome.state, [...programs]]).toEqual(['finished', []]);
});

type Ends = (bench: ElsewhereBench, name: string) => void;
const dies: Ends = (bench, name) => void bench.agents.get(name)?.close();
const fallsSilent: Ends = (bench, name) => bench.server.cut('console', name);

// Who falls silent is given up after 5 s, of which it was last heard just before.
test.each([
  ['render-1', 'dies', dies, 25],
  ['display-1', 'dies', dies, 25],
  ['render-1', 'falls silent', fallsSilent, 29.45],
  ['display-1', 'falls silent', fallsSilent, 29.45],
] as const)(
  '%s %s: its row is INVALID by its name, the row before is kept, and no program is left',
  async (name, _, ends, endSeconds) => {
    const { outcome, run, programs } = await scaled(25_000, (bench) => ends(bench, name));
    expect(run.rows.map(({ figures }) => figures['nmos.registered'])).toEqual([750, undefined]);
    expect(rowTexts(run)[1]).toEqual([expect.any(String), 'INVALID', expect.stringContaining(`on ${name}`)]);
    expect(secondsOf(run)[1]?.[1]).toBe(endSeconds);
    expect(outcome).toMatchObject({ state: 'finished', verdict: 'INVALID' });
    expect([...programs]).toEqual([]);
  },
);
