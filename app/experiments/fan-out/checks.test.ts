import { expect, test } from 'vitest';
import { checkFanOut, checkPorts, usedPorts } from './checks';
import { fanOutParameters } from './declaration';
import { shapeOf } from './own-network';
import { checkRoom, neededRoom } from './room';

test.each([
  [{ link: 100 }, /^Expected at least 1 namespace where a link is given for namespaces but received 0$/],
  [
    { sampleBytes: [63_000], receiveBufferBytes: 65_536 },
    /126000 B at least, for receiveBufferBytes .* 65536/,
  ],
  [
    { link: 2, namespaces: 2, sendBufferBytes: 1_000_000, sampleBytes: [63_000] },
    /^Expected at least 8504 ms, twice what a write may wait at a link of 2 Mb\/s, for keepMs but received 1000$/,
  ],
  [
    { namespaces: 1, domain: 232, subscribers: [100] },
    /^Expected one with ports for 101 participants \(it has 63\) for domain but received 232$/,
  ],
  [{ sendOn: 'a', namespaces: 2 }, /^Expected 0 between machines for namespaces but received 2$/],
  [{ receiveOn: 'a', link: 100 }, /^Expected no link to shape between machines for link but received 100$/],
  [{ sendOn: 'a', receiveOn: 'b,a' }, /^Expected machines other than the one that publishes for receiveOn/],
  [{ receiveOn: 'a,this machine' }, /^Expected machines other than the one that publishes for receiveOn/],
  [
    { sendOn: 'a', receiveOn: 'b,c', subscribers: [80], subscribersPerProcess: 1 },
    /at most 30 processes of subscribers \(40 now\) for subscribersPerProcess but received 1$/,
  ],
  [{ domain: 2, groupPort: 7990 }, /outside of those of domain 2, 7900 to 8149, for groupPort .* 7990/],
])('%o is refused', async (given, words) => {
  await expect(checkFanOut(fanOutParameters.parse(given))).rejects.toThrow(words);
});

test.each([
  [{ sampleBytes: [63_001] }, 'sampleBytes'],
  [{ sampleBytes: [10] }, 'sampleBytes'],
  [{ subscribers: [101] }, 'subscribers'],
  [{ domain: 233 }, 'domain'],
  [{ keepMs: 99 }, 'keepMs'],
  [{ group: '192.168.0.1' }, 'group'],
  [{ cases: ['broadcast'] }, 'cases'],
])('%o is no parameter', (given, field) => {
  const { error } = fanOutParameters.safeParse(given);
  expect(error?.issues[0]?.path[0]).toBe(field);
});

const table = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  10: 00000000:1CF2 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1 2 0 0
  11: 0100007F:1F36 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1 2 0 0
`;

test('ports in use are read from the kernel’s table', () => {
  expect([...usedPorts(table)]).toEqual([7410, 7990]);
});

test('where nothing waits for long, or all is acknowledged, samples need not be kept', async () => {
  const slow = { link: 2, namespaces: 2, sendBufferBytes: 1_000_000, sampleBytes: [63_000] };
  await expect(checkFanOut(fanOutParameters.parse({ ...slow, keepMs: 8504 }))).resolves.toBeUndefined();
  const cases = ['multicast reliable', 'unicast best-effort'];
  await expect(checkFanOut(fanOutParameters.parse({ ...slow, cases }))).resolves.toBeUndefined();
});

test('a port of the group that another program has is refused, where it is needed', () => {
  const parameters = fanOutParameters.parse({});
  expect(() => checkPorts(parameters, usedPorts(table))).toThrow(
    /a UDP port that no other program has for groupPort but received 7990/,
  );
  const unicast = fanOutParameters.parse({ cases: ['unicast reliable'] });
  expect(() => checkPorts(unicast, usedPorts(table))).not.toThrow();
});

test('a domain whose ports others have is refused, unless enough are left', () => {
  const parameters = fanOutParameters.parse({ domain: 0, subscribers: [100] });
  const used = (count: number) => new Set(Array.from({ length: count }, (_, index) => 7411 + 2 * index));
  expect(() => checkPorts(parameters, used(19))).not.toThrow();
  expect(() => checkPorts(parameters, used(20))).toThrow(
    /^Expected one with ports for 101 participants \(it has 100: others have UDP ports from 7410 on\) for domain/,
  );
});

test('more subscribers than the machine can hold are refused, with what they take', () => {
  const many = { subscribers: [1, 100], subscribersPerProcess: 10 };
  const needed = neededRoom(fanOutParameters.parse(many));
  const room = { memoryMb: 1e6, threads: 1e6, openFiles: 1024 };
  expect(needed).toMatchObject({ subscribers: 100, processes: 10 });
  expect(() => checkRoom(needed, room)).not.toThrow();
  expect(() => checkRoom(needed, { ...room, memoryMb: 1000 })).toThrow(
    /^Expected no more than this machine can hold: 100 subscribers in 10 processes take about 2028 MB, and 800 MB are free for subscribers/,
  );
  expect(() => checkRoom(needed, { ...room, threads: 100 })).toThrow(
    /take about 865 threads, and 80 threads/,
  );
  expect(() => checkRoom(needed, { ...room, openFiles: 64 })).toThrow(
    /take about 931 open files of one process, and ulimit -n allows 64 for subscribers/,
  );
  const inOne = neededRoom(fanOutParameters.parse({ ...many, subscribersPerProcess: 100 }));
  expect(() => checkRoom(inOne, room)).toThrow(/take about 1200 open files/);
  const apart = neededRoom(fanOutParameters.parse({ ...many, namespaces: 5 }));
  expect(apart.openFiles - needed.openFiles).toBe(3 * 7);
});

test('the queue of the shaper has room for the whole send buffer', () => {
  expect(shapeOf(100, 100_000)).toEqual({ rateMbps: 100, burstBytes: 65_536, queueBytes: 315_536 });
  expect(shapeOf(10, 100_000).queueBytes).toBe(300_000);
  expect(shapeOf(10_000, 100_000).burstBytes).toBe(1_250_000);
});
