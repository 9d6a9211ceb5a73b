import { expect, test } from 'vitest';
import { helpersElsewhere } from '../engine/capabilities/helper/helpers-elsewhere';
import type { Launch, LaunchedProcess } from '../engine/capabilities/helper/launch';
import { experimentOf } from '../engine/experiment/experiment-of';
import { madeUpDds, madeUpInspector } from '../experiments/fan-out/dds.fixture';
import { temporaryFolder } from '../testing/temporary-folder';
import { rowTexts, secondsOf, wholeRun } from '../testing/whole-run';
import { ElsewhereBench, prepares } from './elsewhere.fixture';

// Fan-out between two machines, of which one is gone in the middle: a bus of memory, a given clock, and programs that follow a script.

const folder = temporaryFolder();
const machines = { 'render-1': '192.0.2.1', 'display-1': '192.0.2.2' };
const labels = [1, 2].map((repeat) => `unicast reliable, 8192 B, 2 subscribers, repeat ${repeat}`);

/** Two rows of 10 s. `happens`: what becomes of the fleet after so long. */
async function fannedOut(
  afterMs: number,
  happens: (bench: ElsewhereBench) => void,
  order: { stopAfterMs?: number } = {},
) {
  const bench = new ElsewhereBench();
  const { clock } = bench;
  const programs = new Set<LaunchedProcess>();
  const rows = madeUpDds(clock, [{ perSecond: 1000 }, { perSecond: 1000 }]);
  const kinds = new Map(
    [...helpersElsewhere()].map(([kind, one]) => [kind, { ...one, missing: async () => null }]),
  );
  for (const [name, address] of Object.entries(machines)) {
    const inspector = madeUpInspector(clock, address);
    const launch: Launch = (program) => {
      const started = (program.role === 'fan-out-inspector' ? inspector : rows)(program);
      programs.add(started);
      started.on('exit', () => programs.delete(started));
      return started;
    };
    bench.start(name, prepares, {}, { helpers: { kinds, launch }, addresses: () => [address] });
  }
  clock.after(afterMs, () => happens(bench));
  const whole = await wholeRun({
    ...{ folder, clock, experiment: experimentOf('fan-out'), ways: bench.ways, ...order },
    parameters: {
      ...{ sendOn: 'render-1', receiveOn: 'display-1', cases: ['unicast reliable'], subscribers: [2] },
      ...{ holdSeconds: 10, repeats: 2 },
    },
  });
  // Where its machine hears nothing more, a program ends with the lease.
  await clock.pass(10_000);
  return { ...whole, programs };
}

type Ends = (bench: ElsewhereBench, name: string) => void;
const dies: Ends = (bench, name) => void bench.agents.get(name)?.close();
const fallsSilent: Ends = (bench, name) => bench.server.cut('console', name);

// Who falls silent is given up after 5 s, of which it was last heard just before.
test.each([
  ['render-1', 'dies', dies, 22],
  ['display-1', 'dies', dies, 22],
  ['render-1', 'falls silent', fallsSilent, 26.25],
  ['display-1', 'falls silent', fallsSilent, 26.25],
] as const)(
  '%s %s: its row is INVALID by its name, the row before is kept, and no program is left',
  async (name, _, ends, endSeconds) => {
    const { outcome, run, incidents, programs } = await fannedOut(22_000, (bench) => ends(bench, name));
    expect(run.rows.map(({ figures }) => figures['ddsFanOut.samplesReceived'])).toEqual([20_000, undefined]);
    expect(rowTexts(run)[1]).toEqual([labels[1], 'INVALID', expect.stringContaining(`on ${name}`)]);
    expect(outcome).toMatchObject({ state: 'finished', verdict: 'INVALID' });
    expect(secondsOf(run)[1]).toEqual([19.7, endSeconds]);
    expect(incidents).toContainEqual(['problem', `The run ends here: ${name} is out of reach`]);
    expect([...programs]).toEqual([]);
  },
);

test.each([0, 1, 50])(
  'stopped %s ms after its start, before its first row, it says that it was stopped',
  async (stopAfterMs) => {
    const { outcome, run, programs } = await fannedOut(60_000, () => undefined, { stopAfterMs });
    expect(outcome).toMatchObject({ state: 'aborted', verdict: null, problem: { code: 'ABORTED' } });
    expect([run.rows, outcome.reason]).toEqual([[], expect.stringMatching(/stopped/)]);
    expect([...programs]).toEqual([]);
  },
);

test('where the way to a machine is gone too when it is stopped, it still says that it was stopped', async () => {
  const { outcome, run } = await fannedOut(0, (bench) => fallsSilent(bench, 'display-1'), { stopAfterMs: 1 });
  expect([outcome.state, outcome.reason, run.rows]).toEqual([
    'aborted',
    'stopped by the operator. Until then: no row was measured',
    [],
  ]);
});
