// @module-tag machine

import { expect, onTestFinished, test, vi } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { exitCodes } from '../../app/protocol/errors';
import { fleetScene } from './fleet-scene';

// Agents and consoles that are killed, or stopped, while programs measure for them. Real nats-server, real programs of all kinds.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });
type Machine = keyof typeof scene.agents;
const pair = ['--send-on', 'render-1', '--receive-on', 'display-1'];

interface Measured {
  words: readonly string[];
  /** Of the programs that agents start for it. */
  program: string;
  /** Before that in which an agent goes. */
  rows: number;
  /** Progress, after which it goes. */
  says: RegExp;
  /** Whose agent goes, each in a run of its own. */
  gone: readonly Machine[];
}

const measured = {
  pacing: {
    ...{ words: [...pair, '--methods', 'timer', '--interval-us', '1000', '--repeats', '2', '--hold', '9s'] },
    ...{ program: 'whiteline-pacer', rows: 1, says: /2 of 2/, gone: ['render-1'] },
  },
  'fan-out': {
    ...{ words: [...pair, '--cases', 'multicast reliable', '--repeats', '5', '--hold', '3s'] },
    ...{ program: 'whiteline-fanout', rows: 1, says: /2 of 20/, gone: ['display-1'] },
  },
  'nmos-scale': {
    words: ['--on', 'render-1,display-1', '--nodes', '41', '--heartbeat', '500ms', '--hold', '60s'],
    ...{ program: 'nmos-programs', rows: 0, says: /41 registered/, gone: ['render-1'] },
  },
  link: {
    words: [...pair, '--protocols', 'tcp', '--pings', '2', '--repeats', '1', '--hold', '60s'],
    ...{ program: 'iperf3', rows: 1, says: / of /, gone: ['render-1', 'display-1'] },
  },
} as const satisfies Record<string, Measured>;

/** On all machines but the console’s. */
function programs(name: string): number[] {
  return Object.values(scene.agents).flatMap((agent) => agent.processes(name));
}

/** In the row in which something goes; `kept`: those before it. */
async function measuring(experiment: keyof typeof measured, to: string) {
  const { words, rows, says }: Measured = measured[experiment];
  const command = scene.whiteline('run', experiment, ...words, '--out', to);
  await vi.waitFor(() => expect(readRun(to).rows).toHaveLength(rows), { timeout: 60_000 });
  await vi.waitFor(() => expect(command.output + command.errors).toMatch(says), { timeout: 60_000 });
  return { command, kept: readRun(to).rows };
}

const experiments = ['pacing', 'fan-out', 'nmos-scale', 'link'] as const;

const leaving = experiments.flatMap((experiment) =>
  measured[experiment].gone.flatMap((machine) =>
    (['SIGKILL', 'SIGSTOP'] as const).map((signal) => [experiment, machine, signal] as const),
  ),
);

test.each(leaving)(
  '%s, and the agent on %s gets %s: its row is INVALID by name, rows before it are kept, no program is left',
  async (experiment, machine, signal) => {
    const to = scene.out(`${experiment} ${machine} ${signal}`);
    const { command, kept } = await measuring(experiment, to);
    const { program } = measured[experiment];
    const agent = scene.agents[machine];
    await vi.waitFor(() => expect(agent.processes(program)).not.toEqual([]), { timeout: 30_000 });
    onTestFinished(() => scene.restart(machine));
    for (const id of agent.processes('cli.cjs agent ')) process.kill(id, signal);
    // An agent that is stopped ends nothing any more.
    await vi.waitFor(() => expect(agent.processes(program)).toEqual([]), { timeout: 60_000 });
    const { exitCode } = await command.ended;
    const { rows, state } = readRun(to);
    expect(rows).toEqual([...kept, expect.objectContaining({ verdict: 'INVALID' })]);
    expect(wordsOf(rows.at(-1)?.reason ?? [])).toContain(machine);
    expect([state, exitCode]).toEqual(['finished', exitCodes.invalid]);
    await vi.waitFor(() => expect(programs(program)).toEqual([]), { timeout: 20_000 });
  },
);

/** By each agent: how often a console of its was silent until the lease ended. */
function endedLeases(): number[] {
  return Object.values(scene.agents).map(
    ({ output }) => output.split('its console was not heard for 5 s').length - 1,
  );
}

test.each(experiments)(
  '%s, and a console that is killed: no program is left when its leases end',
  async (experiment) => {
    const { program } = measured[experiment];
    const { command } = await measuring(experiment, scene.out(`${experiment} console`));
    await vi.waitFor(() => expect(programs(program)).not.toEqual([]), { timeout: 30_000 });
    const before = endedLeases();
    command.signal('SIGKILL');
    await vi.waitFor(() => expect(programs(program)).toEqual([]), { timeout: 8000 });
    // The next console is refused until then.
    await vi.waitFor(() => expect(endedLeases()).toEqual(before.map((one) => one + 1)), { timeout: 60_000 });
  },
);

test('a machine without the right to count is named before anything runs', async () => {
  const named = await scene.fleet.startAgent('plain-1', [
    ...scene.site.inside('display-1'),
    ...['setpriv', '--bounding-set', '-net_raw', '--inh-caps', '-net_raw'],
  ]);
  const to = scene.out('no-right');
  const run = scene.whiteline('run', 'fan-out', '--send-on', 'plain-1', '--hold', '1s', '--out', to);
  const { exitCode, errors } = await run.ended;
  named.signal('SIGINT');
  expect(errors).toMatch(/plain-1: Counting the datagrams that leave the publisher needs CAP_NET_RAW/);
  expect([exitCode, readRun(to).rows]).toEqual([exitCodes.environment, []]);
});
