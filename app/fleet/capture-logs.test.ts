import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { MachineLogs } from '../engine/host-application';
import { RemoteLogs } from '../engine/streams/remote-logs';
import { WhitelineError } from '../protocol/errors';
import { logPieceBytes } from '../protocol/fleet/capture-logs';
import { mutated } from '../testing/fuzz/mutate';
import { OtherMachine } from '../testing/other-machine';
import { cases, Random, seeds } from '../testing/random';
import { temporaryFolder } from '../testing/temporary-folder';
import type { AgentOptions } from './agent/agent-options';
import type { RemoteAgent } from './console/remote-agent';
import { Bench, leaseKeyOf } from './fleet.fixture';

const folder = temporaryFolder();
const [seed] = seeds;
let folders = 0;

interface Receiving {
  bench: Bench;
  remote: RemoteAgent;
  /** The agent’s, of each stream. */
  paths: string[];
}

/** Streams 1 and 2 are received on the agent's machine, and their logs have a line. */
async function receiving(options: Partial<AgentOptions> = {}, captureLog = true): Promise<Receiving> {
  const bench = new Bench();
  bench.agent(options);
  const remote = await bench.remote();
  const host = remote.spawnStreamHost('receiving');
  for (const streamId of [1, 2])
    host.post({
      ...{ type: 'request', requestId: streamId },
      command: { name: 'openReceiver', streamId, sourceName: 'M (s)', askTime: false, captureLog },
    });
  await bench.clock.pass(0);
  const opened = bench.application.host('receiving').named('openReceiver');
  const paths = opened.flatMap(({ captureLogPath }) => captureLogPath ?? []);
  for (const [index, path] of paths.entries()) writeFileSync(path, `${index + 1} 2 3 0 5\n`);
  return { bench, remote, paths };
}

/** What the console has in its folder then. */
async function fetched({ bench, remote }: Receiving): Promise<{ files: string[]; events: string[] }> {
  const to = join(folder, `run-${++folders}`);
  mkdirSync(to);
  const events: string[] = [];
  const logs = new RemoteLogs({
    ...{ folder: to, clock: bench.clock },
    noteEvent: (_, text) => events.push(text),
  });
  const machine = Object.assign(new OtherMachine('render-1', bench.clock, 0), { logs: remote.logs });
  for (const id of [1, 2]) logs.expect(machine, { id, name: `Whiteline ${id}` }, remote);
  await logs.fetch();
  return { files: readdirSync(to).map((name) => `${name} ${readFileSync(join(to, name), 'utf8')}`), events };
}

test('a console gets the logs that it asked for once their host is gone, and they go with the lease', async () => {
  const all = await receiving();
  const [path = ''] = all.paths;
  expect(existsSync(path)).toBe(true);
  const { events } = await fetched(all);
  expect(events).toHaveLength(2);
  expect(events[0]).toContain('its stream process has not ended there');
  all.bench.application.host('receiving').die();
  expect(await fetched(all)).toEqual({
    files: ['captured-1-on-render-1.log 1 2 3 0 5\n', 'captured-2-on-render-1.log 2 2 3 0 5\n'],
    events: [],
  });
  await all.remote.release();
  await expect.poll(() => existsSync(dirname(path))).toBe(false);
});

test('of a host that was given up and started again there are several logs of one stream', async () => {
  const all = await receiving();
  const { bench, remote, paths } = all;
  bench.application.host('receiving').die();
  const again = remote.spawnStreamHost('receiving');
  const command = { name: 'openReceiver', streamId: 1, sourceName: 'M (s)', askTime: false } as const;
  again.post({ type: 'request', requestId: 1, command: { ...command, captureLog: true } });
  await bench.clock.pass(0);
  const [opened] = bench.application.host('receiving').named('openReceiver');
  expect(opened?.captureLogPath).toBe(join(dirname(paths[0] ?? ''), 'captured-1-2.log'));
  writeFileSync(opened?.captureLogPath ?? '', 'later\n');
  bench.application.host('receiving').die();
  expect((await fetched(all)).files).toEqual([
    'captured-1-2-on-render-1.log later\n',
    'captured-1-on-render-1.log 1 2 3 0 5\n',
    'captured-2-on-render-1.log 2 2 3 0 5\n',
  ]);
});

test('logs that its own user keeps are given too, and stay', async () => {
  const logs = join(folder, 'own');
  mkdirSync(logs);
  const all = await receiving({ logs }, false);
  all.bench.application.host('receiving').die();
  expect((await fetched(all)).files).toHaveLength(2);
  await all.remote.release();
  await all.bench.clock.pass(10_000);
  expect(existsSync(all.paths[0] ?? '')).toBe(true);
});

test('without being asked, and without a folder, an agent writes none', async () => {
  const { bench, remote } = await receiving({}, false);
  const [opened] = bench.application.host('receiving').named('openReceiver');
  expect(opened).toMatchObject({ captureLogPath: undefined });
  expect(await remote.logs.list()).toEqual([]);
});

test('its limit is among those that it tells, and each log has its share', async () => {
  const limits = { streams: 4, format: null, minutes: null };
  for (const [logBytes, told] of [
    [8000, 8000],
    [undefined, 4e9],
  ]) {
    const { bench } = await receiving({ limits: { ...limits, ...(logBytes !== undefined && { logBytes }) } });
    const [opened] = bench.application.host('receiving').named('openReceiver');
    expect(opened?.captureLogMostBytes).toBe((told ?? 0) / 4);
    await bench.clock.pass(1000);
    expect(bench.bus.newest('whiteline.from.*.presence')).toMatchObject({ limits: { logBytes: told } });
  }
});

test('logs of another lease are not given, nor to another console', async () => {
  const { bench, remote } = await receiving();
  bench.application.host('receiving').die();
  const ask = (command: object) => bench.ask({ name: 'log.read', logId: 1, from: 0, ...command });
  await expect(ask({ fence: 1, key: leaseKeyOf('control-2') })).rejects.toMatchObject({
    code: 'LEASE_ENDED',
  });
  await expect(ask({ fence: 2 })).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  await remote.release();
  await expect(remote.logs.list()).rejects.toMatchObject({ code: 'LEASE_ENDED' });
  const fence = await bench.acquire();
  expect(await bench.ask({ name: 'log.list', fence })).toEqual({ logs: [] });
  await expect(ask({ fence })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('whatever an agent is asked for logs, it gives those of the lease or refuses in words', async () => {
  const { bench, remote } = await receiving();
  bench.application.host('receiving').die();
  const asked = [
    { name: 'log.list', fence: 1, key: leaseKeyOf('control-1') },
    { name: 'log.read', fence: 1, key: leaseKeyOf('control-1'), logId: 1, from: 0 },
    { name: 'log.digest', fence: 1, key: leaseKeyOf('control-1'), logId: 2 },
  ];
  let given = 0;
  for (let index = 0; index < cases(300, 5000); index++) {
    const random = new Random(seed + index);
    try {
      const answer = await bench.ask(mutated(random.pick(asked), random));
      given++;
      const { bytes } = Object(answer);
      if (ArrayBuffer.isView(bytes)) expect(bytes.byteLength).toBeLessThanOrEqual(10);
    } catch (error) {
      expect(error, `WHITELINE_SEED=${seed + index}`).toBeInstanceOf(WhitelineError);
    }
  }
  expect(given).toBeGreaterThan(0);
  expect(await remote.logs.list()).toHaveLength(2);
});

test('a piece is no longer than it may be', async () => {
  const { bench, remote } = await receiving();
  let length = logPieceBytes;
  bench.bus.serve(`whiteline.to.${bench.identity.id}.ask`, async () => ({ bytes: new Uint8Array(length) }));
  expect(await remote.logs.read(1, 0)).toHaveLength(length);
  length += 1;
  await expect(remote.logs.read(1, 0)).rejects.toMatchObject({ code: 'TOOL_FAILED' });
});

test('whatever an agent answers, a console has logs or a refusal, and a folder without parts of them', async () => {
  const all = await receiving();
  const good = [
    { logs: [{ logId: 1, streamId: 1, bytes: 10, isOpen: false }] },
    { bytes: new Uint8Array(10) },
    { bytes: 10, sha256: 'a'.repeat(64) },
  ];
  let answer: unknown = null;
  all.bench.bus.serve(`whiteline.to.${all.bench.identity.id}.ask`, async () => answer);
  const ask: ((logs: MachineLogs) => Promise<unknown>)[] = [
    (logs) => logs.list(),
    (logs) => logs.read(1, 0),
    (logs) => logs.digest(1),
  ];
  let [taken, refusals] = [0, 0];
  for (let index = 0; index < cases(300, 5000); index++) {
    const random = new Random(seed + index);
    answer = mutated(random.pick(good), random);
    try {
      const value = await random.pick(ask)(all.remote.logs);
      taken++;
      if (ArrayBuffer.isView(value)) expect(value.byteLength).toBeLessThanOrEqual(logPieceBytes);
    } catch (error) {
      expect(error, `WHITELINE_SEED=${seed + index}`).toMatchObject({ code: 'TOOL_FAILED' });
      refusals++;
    }
  }
  expect(Math.min(taken, refusals)).toBeGreaterThan(0);
  for (let index = 0; index < cases(20, 500); index++) {
    const random = new Random(seed + index);
    all.bench.bus.serve(`whiteline.to.${all.bench.identity.id}.ask`, async () =>
      mutated(random.pick(good), random),
    );
    const { files } = await fetched(all);
    for (const file of files) expect(file).toMatch(/^captured-\d+(-\d+)?-on-render-1\.log /);
  }
});
