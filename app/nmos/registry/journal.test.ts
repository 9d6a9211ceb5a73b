import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { TestRegistry } from '../../testing/nmos-registry';
import { changed, nmosId, nmosNode, nmosTypes } from '../../testing/nmos-resources';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { eventually } from '../../testing/time-passes';
import { mergeEntry } from './merge';

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `snapshot-${++files}`);
/** It goes on over restarts. */
const clock = new SimulatedClock();
const start = (snapshot: string): Promise<TestRegistry> => TestRegistry.start({ snapshot, clock });

/** Waits until the file has that many lines of changes below that of the clock. */
async function lines(file: string, count: number): Promise<void> {
  await eventually(clock, () => expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(count + 2));
}

test('a restart loses no resource, and nodes live on', async () => {
  const file = newFile();
  const first = await start(file);
  const kept = await first.registerNode(1);
  await first.registerNode(2, 'v1.2');
  await first.registerNode(3);
  const later = changed(kept.sender, 5, { label: 'later "\\ü' });
  await first.register('sender', later);
  await first.delete(`nodes/${nmosId(0, 3)}`);
  await first.close();
  const second = await start(file);
  expect(second.lines[0]).toContain('12 resources of 2 nodes read');
  for (const type of nmosTypes) expect(await second.ids(`${type}s?query.downgrade=v1.2`)).toHaveLength(2);
  expect((await second.query(`senders/${kept.sender.id}`)).body).toEqual(later);
  expect((await second.post(`health/nodes/${kept.node.id}`, undefined)).status).toBe(200);
  expect((await second.post(`health/nodes/${nmosId(0, 2)}`, undefined, 'v1.2')).status).toBe(200);
});

test('what was registered is in the file without a close', async () => {
  const file = newFile();
  const first = await start(file);
  await first.registerNode(1);
  await lines(file, 6);
  const copy = newFile();
  copyFileSync(file, copy);
  const second = await start(copy);
  expect(await second.ids('receivers')).toEqual([nmosId(5, 1)]);
});

test('what was registered is in the file within a second of its clock', async () => {
  const file = newFile();
  const registry = await start(file);
  await registry.registerNode(1);
  await clock.pass(1000);
  // No more of its time passes: the disk may take its own.
  await expect.poll(() => readFileSync(file, 'utf8').split('\n'), { timeout: 60_000 }).toHaveLength(8);
});

test('a snapshot that was cut anywhere gives what can be read, and is kept', async () => {
  const file = newFile();
  const first = await start(file);
  await first.registerNode(1);
  await first.registerNode(2);
  await first.close();
  const whole = readFileSync(file);
  for (const length of [1, 100, (whole.length >> 1) + 20, whole.length - 5]) {
    const cut = newFile();
    writeFileSync(cut, whole.subarray(0, length));
    const { registry, lines: said } = await start(cut);
    const count = Math.max(0, whole.subarray(0, length).toString().split('\n').length - 2);
    expect(registry.store.size).toBe(count);
    expect(said.join('\n')).toMatch(/1 of \d+ lines? could not be read; the first is line \d+: /);
    expect(statSync(`${cut}.damaged`).size).toBe(length);
  }
});

test.each([
  ['rubbish', Buffer.from([0, 255, 10, 13, 10])],
  ['JSON of something else', Buffer.from('{"a":1}\n[]\nnull\n7\n"x"\n')],
  ['a resource that is not valid', Buffer.from('["set","node","v1.3",{"id":"x"},"1","1"]\n')],
  ['a line without end', Buffer.alloc(9_000_000, 'x')],
  [
    'a resource nested deep',
    Buffer.from(`["set","node","v1.3",${'['.repeat(1e5)}${']'.repeat(1e5)},"1","1"]\n`),
  ],
  ['a clock of another shape', Buffer.from('["clock",1,true]\n["clock","-",true]\n["clock","1"]\n')],
  ['a date far ahead', Buffer.from(`["remove","${nmosId(0, 1)}","99999999999999999999"]\n`)],
])('a snapshot that is %s is said, and the registry starts', async (_, bytes) => {
  const file = newFile();
  writeFileSync(file, bytes);
  const registry = await start(file);
  expect(registry.lines.join('\n')).toMatch(/could not be read; the first is line 1: /);
  await registry.registerNode(1);
  await registry.close();
  expect((await start(file)).registry.store.size).toBe(6);
});

test('each damaged snapshot is kept, whatever was kept before', async () => {
  const file = newFile();
  for (const damage of ['first', 'second', 'third']) {
    writeFileSync(file, `${damage}\n`);
    await (await start(file)).close();
  }
  const kept = ['', '-2', '-3'].map((end) => readFileSync(`${file}.damaged${end}`, 'utf8'));
  expect(kept).toEqual(['first\n', 'second\n', 'third\n']);
});

test('children of a node whose line is damaged are left out and counted', async () => {
  const file = newFile();
  const first = await start(file);
  await first.registerNode(1);
  await first.close();
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('["set","node"', 'x$&'));
  const second = await start(file);
  expect(second.registry.store.size).toBe(0);
  expect(second.lines.join('\n')).toContain('6 of 7 lines could not be read');
});

test('what a registry took by other rules than those of registration is read again', async () => {
  const file = newFile();
  const first = await start(file);
  const { node, sender } = await first.registerNode(1, 'v1.2');
  await first.register('sender', { ...sender, label: 'B' }, 'v1.2');
  await first.register('sender', { ...sender, label: 'A' }, 'v1.2');
  // As of a peer whose node came back by a later version of the API.
  const later = { type: 'node', apiVersion: 'v1.3', data: changed(node, 1), at: 1n, bodyAt: 1n, life: null };
  expect(mergeEntry(first.registry.store, { kind: 'set', ...later })).toBeNull();
  await first.close();
  for (let restart = 0; restart < 2; restart++) {
    const again = await start(file);
    expect(again.lines).toEqual([expect.stringContaining('6 resources of 1 node read')]);
    expect((await again.query(`nodes/${node.id}`)).body).toEqual(changed(node, 1));
    expect((await again.query(`senders/${sender.id}`, 'v1.2')).body).toMatchObject({ label: 'A' });
    await again.close();
  }
});

test.each(['one after the other', 'at once'])('a file that changes often, %s, stays short', async (how) => {
  const file = newFile();
  const registry = await start(file);
  const { node } = await registry.registerNode(1);
  const description = 'x'.repeat(900_000);
  for (let second = 1; second <= 12; second++) {
    const data = changed(node, second, { description: `${second}${description}` });
    if (how === 'at once') registry.putNode(data);
    else await registry.register('node', data);
  }
  await registry.close();
  expect(statSync(file).size).toBeLessThan(6_000_000);
  const again = await start(file);
  expect((await again.query(`nodes/${node.id}`)).body).toMatchObject({ description: `12${description}` });
});

test('what was removed does not come back after any number of restarts, nor what expired as a removal', async () => {
  const file = newFile();
  let registry = await TestRegistry.start({ snapshot: file, clock, expirySeconds: 60 });
  const { device } = await registry.registerNode(1);
  const { node } = await registry.registerNode(2);
  await registry.delete(`devices/${device.id}`);
  await registry.pass(59_000);
  await registry.post(`health/nodes/${nmosId(0, 1)}`, undefined);
  await registry.pass(2000);
  for (let restart = 0; restart < 3; restart++) {
    await registry.close();
    registry = await TestRegistry.start({ snapshot: file, clock, expirySeconds: 60 });
    const { departures, size } = registry.registry.store;
    expect(size).toBe(1);
    expect(departures.of(device.id)).toMatchObject({ kind: 'remove' });
    expect(departures.of(node.id)).toMatchObject({ kind: 'expire' });
  }
});

test('where the wall clock is set, the file says so within two seconds', async () => {
  const file = newFile();
  const moved = new SimulatedClock();
  await TestRegistry.start({ snapshot: file, clock: moved });
  moved.stepWall(-60_000);
  await eventually(moved, () =>
    expect(readFileSync(file, 'utf8')).toBe('["clock","0",false]\n["clock","60000000000",false]\n'),
  );
});

test('a clock far ahead in the file is damage, and moves no date', async () => {
  const file = newFile();
  writeFileSync(file, '["clock","99999999999999999999",true]\n');
  const { lines: said, registry } = await start(file);
  expect(said.join('\n')).toContain('line 1: a clock more than two hours ahead of the clock of this machine');
  expect(existsSync(`${file}.damaged`)).toBe(true);
  expect(registry.store.options.shared.aheadNs()).toBeLessThan(1_000_000_000n);
});

test('a file that cannot be written is refused at the start', async () => {
  await expect(start(join(folder, 'none', 'file'))).rejects.toThrow(/cannot be used: ENOENT/);
  mkdirSync(join(folder, 'is-folder'));
  symlinkSync(newFile(), join(folder, 'is-link'));
  for (const name of [join(folder, 'is-folder'), join(folder, 'is-link'), '/dev/null'])
    await expect(start(name)).rejects.toThrow(/^Expected a regular file, or a new file name for snapshot/);
});

test('one registry keeps a file, and another is refused before it touches it', async () => {
  const file = newFile();
  const first = await start(file);
  await first.registerNode(1);
  await expect(start(file)).rejects.toThrow(`Process ${process.pid} already uses the snapshot ${file}`);
  await first.registerNode(2);
  await first.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
  // The lock of a process that is gone, and one that was cut.
  for (const holder of ['4194305', '']) {
    writeFileSync(`${file}.lock`, holder);
    const again = await start(file);
    expect(await again.ids('nodes')).toHaveLength(2);
    await again.close();
  }
});

test('a body that grows beyond what can be kept is refused', async () => {
  const registry = await TestRegistry.start();
  const node = { ...nmosNode(1).node, x: Array.from({ length: 190_000 }, () => 1e20) };
  expect((await registry.register('node', node)).status).toBe(413);
  expect(registry.registry.store.size).toBe(0);
});

test('a full disk is said once, the registry goes on, and the file is whole when there is room again', async () => {
  const small = join(folder, 'small');
  mkdirSync(small);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'none', small]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', small]);
  });
  const file = join(small, 'snapshot');
  const registry = await start(file);
  writeFileSync(join(small, 'ballast'), Buffer.alloc(110_000));
  for (let number = 1; number <= 12; number++) await registry.registerNode(number);
  await eventually(clock, () =>
    expect(registry.lines.join('\n')).toContain('the disk is full; the registry continues and tries again'),
  );
  await registry.registerNode(13);
  expect(await registry.ids('nodes')).toHaveLength(13);
  truncateSync(join(small, 'ballast'), 0);
  await eventually(clock, () => expect(registry.lines.join('\n')).toContain(': written again'), {
    stepMs: 100,
  });
  await registry.close();
  expect(registry.lines.filter((line) => line.includes('full'))).toHaveLength(1);
  expect((await start(file)).registry.store.size).toBe(13 * 6);
});

test('a snapshot that another program lengthens is read as far as it is one', async () => {
  const file = newFile();
  const first = await start(file);
  await first.register('node', nmosNode(1).node);
  await first.close();
  appendFileSync(file, 'end of file\n');
  const second = await start(file);
  expect(second.registry.store.size).toBe(1);
  expect(existsSync(`${file}.damaged`)).toBe(true);
});
