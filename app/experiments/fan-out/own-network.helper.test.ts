import { execFileSync } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { carriedBytes, type ProgramNetwork } from '../../engine/tools/namespace';
import { OwnNetwork, ownInterface, shapeOf, subscriberAddress } from './own-network';

// Own namespaces need root, as those of e2e/network do.
const opened: OwnNetwork[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((network) => network.close()));
});

async function create(count: number, rateMbps: number | null): Promise<OwnNetwork> {
  const network = await OwnNetwork.create(count, rateMbps === null ? null : shapeOf(rateMbps, 100_000));
  opened.push(network);
  return network;
}

function run({ inside }: ProgramNetwork, ...command: string[]): string {
  const [file = '', ...words] = [...inside, ...command];
  return execFileSync(file, words, { encoding: 'utf8' });
}

test('the publisher reaches each subscriber over a shaped uplink, and a group reaches all', async () => {
  const network = await create(3, 100);
  for (const place of [0, 1, 2])
    expect(run(network.publisher, 'ping', '-c', '1', '-W', '5', subscriberAddress(place))).toContain(
      '1 received',
    );
  expect(run(network.publisher, 'tc', 'qdisc', 'show', 'dev', ownInterface)).toMatch(
    /tbf .*rate 100Mbit burst 64Kb/,
  );
  for (const end of network.subscribers)
    expect(run(end, 'tc', 'qdisc', 'show', 'dev', ownInterface)).not.toContain('tbf');
  expect(run(network.publisher, 'ip', 'route', 'get', '239.255.79.1')).toContain(`dev ${ownInterface}`);
  const steering = 'mount -t sysfs none /sys && cat /sys/class/net/port0/queues/rx-0/rps_cpus';
  expect(run(network.bridge, 'unshare', '--mount', 'sh', '-c', steering)).toMatch(/[1-9a-f]/);
  const before = network.subscribers.map(({ id }) => carriedBytes(id, ownInterface).received);
  const send =
    'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(bytes(1000), ("239.255.79.1", 7990))';
  run(network.publisher, 'python3', '-c', send);
  for (const [place, { id }] of network.subscribers.entries())
    expect(carriedBytes(id, ownInterface).received - (before[place] ?? 0)).toBeGreaterThanOrEqual(1000);
});

test('without a rate nothing is shaped', async () => {
  const network = await create(1, null);
  expect(run(network.publisher, 'tc', 'qdisc', 'show', 'dev', ownInterface)).not.toContain('tbf');
});
