import { expect, test } from 'vitest';
import { experimentOf } from '../engine/experiment/experiment-of';
import type { LinkEnd } from '../engine/machines/link-end';
import { temporaryFolder } from '../testing/temporary-folder';
import { rowTexts, secondsOf, wholeRun } from '../testing/whole-run';
import { ElsewhereBench, prepares, rowAt, type Script } from './elsewhere.fixture';

// A link between two machines, of which one is gone in the middle: a bus of memory, a given clock, and a caller that follows a script.

const folder = temporaryFolder();
const machines = { 'render-1': '192.0.2.1', 'display-1': '192.0.2.2' };
const rowMs = 20_000;

/** A row of TCP each way, each of two repeats of 10 s. */
const calls: Script = (child, type, clock) => {
  prepares(child, type, clock);
  if (type === 'stop') child.end();
  if (type !== 'begin') return;
  const say = (label: string, direction: string): void => {
    const own = { protocol: 'TCP', direction, streams: 1, throughputMbps: 945, lineRatePercent: 94.5 };
    const figures = Object.entries(own).map(([id, value]) => [`link.${id}`, value] as const);
    const measured = { measuredSeconds: 20, ...Object.fromEntries(figures) };
    child.say({ type: 'row', row: rowAt(clock, label, { figures: measured }) });
  };
  clock.after(rowMs, () => say('there', 'send'));
  clock.after(2 * rowMs, () => {
    say('back', 'receive');
    child.end();
  });
};

async function linked(afterMs: number, happens: (bench: ElsewhereBench) => void) {
  const bench = new ElsewhereBench();
  const { clock } = bench;
  const servers = new Set<string>();
  const endOf =
    (name: string, address: string) =>
    (signal: AbortSignal): LinkEnd => ({
      addresses: [address],
      iperfVersion: async () => 'iperf 3.12',
      serve: async () => {
        servers.add(name);
        const stop = async (): Promise<void> => void servers.delete(name);
        signal.addEventListener('abort', () => void stop());
        return { port: 5201, onLost: () => undefined, ended: async () => null, stop };
      },
      reaches: async () => true,
    });
  for (const [name, address] of Object.entries(machines))
    bench.start(name, calls, {}, { addresses: () => [address], linkEnd: endOf(name, address) });
  clock.after(afterMs, () => happens(bench));
  const whole = await wholeRun({
    ...{ folder, clock, experiment: experimentOf('link'), ways: bench.ways },
    parameters: {
      ...{ sendOn: 'render-1', receiveOn: 'display-1', protocols: ['tcp'], rates: ['line'] },
      ...{ repeats: 2, holdSeconds: 10, pings: 0, lineRateMbps: 1000 },
    },
  });
  // Where its machine hears nothing more, what runs there ends with the lease.
  await clock.pass(10_000);
  return { ...whole, servers, caller: bench.child('render-1') };
}

test('while both are there, both rows are measured', async () => {
  const { outcome, run, servers } = await linked(1e6, () => undefined);
  expect(run.rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'PASS']);
  expect([outcome.state, [...servers]]).toEqual(['finished', []]);
});

type Ends = (bench: ElsewhereBench, name: string) => void;
const dies: Ends = (bench, name) => void bench.agents.get(name)?.close();
const fallsSilent: Ends = (bench, name) => bench.server.cut('console', name);

// Who falls silent is given up after 5 s, of which it was last heard just before.
test.each([
  ['render-1', 'dies', dies, 30],
  ['display-1', 'dies', dies, 30],
  ['render-1', 'falls silent', fallsSilent, 34.25],
  ['display-1', 'falls silent', fallsSilent, 34.25],
] as const)(
  '%s %s: its row is INVALID by its name, the row before is kept, and neither end is left running',
  async (name, _, ends, endSeconds) => {
    const { outcome, run, servers, caller } = await linked(30_000, (bench) => ends(bench, name));
    expect(secondsOf(run)[1]?.[1]).toBe(endSeconds);
    expect(run.rows.map(({ verdict }) => verdict)).toEqual(['PASS', 'INVALID']);
    expect(rowTexts(run)[1]?.[2]).toContain(`the measurement of ${name} did not finish`);
    expect(outcome).toMatchObject({ state: 'finished', verdict: 'INVALID' });
    const isOver = caller.isKilled || caller.heard.at(-1)?.type === 'stop';
    expect([[...servers], isOver]).toEqual([[], true]);
  },
);
