import { expect, test } from 'vitest';
import { helpersElsewhere } from '../engine/capabilities/helper/helpers-elsewhere';
import type { Launch, LaunchedProcess } from '../engine/capabilities/helper/launch';
import { experimentOf } from '../engine/experiment/experiment-of';
import { madeUpPacers } from '../experiments/pacing/pacer.fixture';
import { wordsOf } from '../facts/reason-words';
import { temporaryFolder } from '../testing/temporary-folder';
import { wholeRun } from '../testing/whole-run';
import { ElsewhereBench, prepares } from './elsewhere.fixture';

// Helper programs of two machines, of which one is gone in the middle: a bus of memory, a given clock, and programs that follow a script.

const folder = temporaryFolder();
const machines = { 'render-1': '192.0.2.1', 'display-1': '192.0.2.2' };

test.each(Object.keys(machines))(
  'the machine %s is gone: its row is INVALID by its name, the row before is kept, and no program is left',
  async (gone) => {
    const bench = new ElsewhereBench();
    const { clock, server } = bench;
    // The first row is the trial.
    const programs = new Set<LaunchedProcess>();
    const start = madeUpPacers(
      clock,
      Array.from({ length: 3 }, () => ({ spreadNs: 2000 })),
    );
    const launch: Launch = (program) => {
      const started = start(program);
      programs.add(started);
      started.on('exit', () => programs.delete(started));
      return started;
    };
    const kinds = new Map(
      [...helpersElsewhere()].map(([kind, one]) => [kind, { ...one, missing: async () => null }]),
    );
    for (const [name, address] of Object.entries(machines))
      bench.start(name, prepares, {}, { helpers: { kinds, launch }, addresses: () => [address] });
    const running = wholeRun({
      ...{ folder, clock, experiment: experimentOf('pacing') },
      parameters: {
        ...{ sendOn: 'render-1', receiveOn: 'display-1', methods: ['timer'], repeats: 2, holdSeconds: 4 },
        intervalUs: 1000,
      },
      ways: bench.ways,
    });
    clock.after(15_000, () => server.cut('console', gone));
    const { outcome, run } = await running;
    expect(run.rows.map(({ figures }) => figures['pacing.packetsSent'])).toEqual([4000, undefined]);
    expect([outcome.state, run.rows[1]?.verdict]).toEqual(['finished', 'INVALID']);
    expect(wordsOf(run.rows[1]?.reason ?? [])).toContain(`on ${gone}`);
    await clock.pass(6000);
    expect([...programs]).toEqual([]);
  },
);
