import { expect, test, vi } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { figureOf, numberOf } from '../../app/facts/row-figures';
import { exitCodes } from '../../app/protocol/errors';
import type { WhitelineCommand } from '../../app/testing/command';
import { fleetScene } from './fleet-scene';
import type { Namespace } from './network';

// Publisher and subscribers of Fast DDS on three machines, each with network, host name and clock of its own. Real nats-server.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });
const group = '239.255.79.1';
const program = 'whiteline-fanout';

function fanOut(to: string, receiveOn: string, ...words: string[]): WhitelineCommand {
  const places = ['--send-on', 'render-1', '--receive-on', receiveOn];
  return scene.whiteline('run', 'fan-out', ...places, ...words, '--out', to);
}

/** Datagrams with a sample to the group that a machine has sent, or got, from now on: heartbeats are smaller, and go on when the counter has ended. */
function countGroup(machine: Namespace, hook: 'output' | 'input'): () => number {
  machine.run('nft', 'add', 'table', 'ip', hook);
  machine.run('nft', 'add', 'chain', 'ip', hook, 'group', `{ type filter hook ${hook} priority 0 ; }`);
  machine.run(
    'nft',
    'add',
    'rule',
    'ip',
    hook,
    'group',
    'ip',
    'daddr',
    group,
    'udp',
    'length',
    '>',
    '1000',
    'counter',
  );
  return () => Number(/counter packets (\d+)/.exec(machine.run('nft', 'list', 'table', 'ip', hook))?.[1]);
}

test('one publisher, subscribers on two machines: all counts are equal, and multicast leaves once', async () => {
  const { 'render-1': sending, 'display-1': receiving } = scene.site.agents;
  const counts = [
    countGroup(sending, 'output'),
    ...[receiving, scene.site.console].map((one) => countGroup(one, 'input')),
  ];
  const to = scene.out('counted');
  const cases = ['--cases', 'unicast reliable', 'multicast reliable'];
  const { output, errors } = await fanOut(
    ...([to, 'display-1,this machine', ...cases] as const),
    ...['--subscribers', '3', '--hold', '2s', '--sample-bytes', '1024', '--batch-bytes', '0'],
  ).ended;
  expect(errors).not.toContain('whiteline:');
  expect(output).toContain('from render-1 to display-1 and this machine in turn');
  const { rows } = readRun(to);
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    const of = (name: string): number => numberOf(row, `ddsFanOut.${name}`) ?? Number.NaN;
    expect(of('samplesSent'), row.label).toBeGreaterThan(100);
    expect([of('samplesReceived'), of('samplesLost')], row.label).toEqual([3 * of('samplesSent'), 0]);
    const isMulticast = row.label.includes('multicast');
    expect([of('destinations'), of('datagramsPerPayload')], row.label).toEqual(isMulticast ? [1, 1] : [3, 3]);
    expect(row.subjects.map(({ hosts }) => hosts.subscriber === 'display-1')).toEqual([true, true, false]);
    expect(Object.values(row.load).map((roles) => Object.keys(roles))).toEqual([
      ['sender'],
      ['receiver'],
      ['receiver'],
    ]);
    // Machines share the processors of this one: a row may be INVALID for what they took of each other.
    if (row.verdict !== 'PASS')
      expect(wordsOf(row.reason), row.label).toMatch(
        /took the processors|waited for a processor|stopped|hypervisor|no load sample/,
      );
  }
  // The counter, what the kernel of the publisher sent, and what reached each subscriber's machine.
  const counted = rows.flatMap(({ details }) => groupDatagrams(details?.destinations));
  const [sent, ...received] = counts.map((count) => count());
  expect(sent).toBe(counted.reduce((sum, datagrams) => sum + datagrams, 0));
  expect(received).toEqual([sent, sent]);
  expect(figureOf(rows[1] as (typeof rows)[0], 'ddsFanOut.path')).toBe(
    `multicast to ${group}:7990, the network between machines`,
  );
});

interface Destination extends Record<string, unknown> {
  address: string;
}

function groupDatagrams(destinations: unknown): number[] {
  return (destinations as Destination[])
    .filter(({ address }) => address === group)
    .map((one) => ['data', 'resends'].reduce((sum, kind) => sum + Number(one[kind]), 0));
}

test('a machine without the right to count is named before anything runs', {
  tags: ['machine'],
}, async () => {
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

test('an agent that is killed: its row is INVALID by name, rows before it are kept, and no process is left', {
  tags: ['machine'],
}, async () => {
  const to = scene.out('killed');
  const run = fanOut(to, 'display-1', '--cases', 'multicast reliable', '--hold', '2s', '--repeats', '5');
  await vi.waitFor(() => expect(readRun(to).rows).toHaveLength(1), { timeout: 120_000, interval: 200 });
  await vi.waitFor(() => expect(scene.agents['display-1'].processes(program)).toHaveLength(1), {
    timeout: 60_000,
  });
  scene.agents['display-1'].signal('SIGKILL');
  const { exitCode } = await run.ended;
  const { rows, state } = readRun(to);
  expect(rows).toHaveLength(2);
  expect(rows[1]?.verdict).toBe('INVALID');
  expect(wordsOf(rows[1]?.reason ?? [])).toContain('display-1');
  expect([state, exitCode]).toEqual(['finished', exitCodes.invalid]);
  await vi.waitFor(() => expect(scene.agents['render-1'].processes(program)).toEqual([]), {
    timeout: 20_000,
  });
});
