import { expect, test } from 'vitest';
import { readRun } from '../../app/engine/sessions/read-run';
import { wordsOf } from '../../app/facts/reason-words';
import { figureOf, numberOf } from '../../app/facts/row-figures';
import { fleetScene } from './fleet-scene';
import type { Namespace } from './network';

// What several machines have of one: fan-out and nmos-scale. Real nats-server, Fast DDS, registry and nodes.

const scene = fleetScene({ 'render-1': [], 'display-1': [] });
const group = '239.255.79.1';

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
  const { output, errors } = await scene.whiteline(
    ...['run', 'fan-out', '--send-on', 'render-1', '--receive-on', 'display-1,this machine'],
    ...['--cases', 'unicast reliable', 'multicast reliable', '--subscribers', '3', '--hold', '1s'],
    ...['--sample-bytes', '1024', '--batch-bytes', '0', '--out', to],
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

test('nodes of two machines register at a registry here, whose own count is theirs, and come back after a break', async () => {
  const to = scene.out('registered');
  const { errors } = await scene.whiteline(
    ...['run', 'nmos-scale', '--on', 'render-1,display-1', '--nodes', '41', '--heartbeat', '250ms'],
    ...['--expiry', '30s', '--hold', '1500ms', '--breaks', '1s', '--out', to],
  ).ended;
  const { rows, environment } = readRun(to);
  expect(environment.topology).toBe('nodes on render-1, display-1; the registry on this machine');
  expect(
    rows.map(({ label }) => label),
    errors,
  ).toEqual([...['registration of 41 nodes', '41 nodes after a break of 1 s']]);
  for (const row of rows) {
    const { subjects } = row;
    expect(subjects.map(({ name }) => name)).toEqual(['render-1', 'display-1']);
    expect(subjects.map((one) => numberOf(one, 'nmos.nodes'))).toEqual([21, 20]);
    for (const id of ['nmos.registered', 'nmos.heartbeats', 'nmos.requests'])
      expect(subjects.reduce((sum, one) => sum + (numberOf(one, id) ?? Number.NaN), 0)).toBe(
        numberOf(row, id),
      );
    expect(['nmos.resources', 'nmos.resourcesLost'].map((id) => numberOf(row, id))).toEqual([246, 0]);
    // Their clocks are a day ahead.
    expect(numberOf(row, 'nmos.allSeconds')).toBeLessThan(60);
  }
  // A break may be too short for a load sample of its own.
  for (const { figures, notMeasured } of rows[0]?.subjects ?? [])
    expect(figures['nmos.nodesMemoryMb'] ?? notMeasured).toEqual(expect.any(Number));
  expect(numberOf(rows[0] ?? { figures: {} }, 'nmos.heartbeats')).toBeGreaterThanOrEqual(41 * 5);
});
