import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WhitelineCommand } from '../../testing/command';
import { temporaryFolder } from '../../testing/temporary-folder';
import { lock } from './lock';

const folder = temporaryFolder();
let files = 0;

/** In a folder of its own, with that lock. */
function fileWith(text: string | null, name = 'snapshot.lock'): { inside: string; file: string } {
  const inside = join(folder, String(++files));
  mkdirSync(inside);
  if (text !== null) writeFileSync(join(inside, name), text);
  return { inside, file: join(inside, 'snapshot') };
}

/** Of a process that is gone: the system gives no such number. */
const gone = '4194305';

test.each([
  ['none', null],
  ['that of a process that is gone', gone],
  ['one with a line end', `${gone}\n`],
  ['one that was cut', ''],
])('with %s, one of two takes the lock, and leaves nothing behind', async (_, text) => {
  const { inside, file } = fileWith(text);
  const [one, other] = await Promise.allSettled([lock(file), lock(join(inside, '.', 'snapshot'))]);
  expect([one?.status, other?.status]).toEqual(['fulfilled', 'rejected']);
  expect(readdirSync(inside)).toEqual(['snapshot.lock']);
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe(String(process.pid));
  if (one?.status === 'fulfilled') await one.value();
  expect(readdirSync(inside)).toEqual([]);
});

test('what a takeover left that was killed is taken over too', async () => {
  const { inside, file } = fileWith(gone);
  for (const name of ['snapshot.lock.old', 'snapshot.lock.old.old']) writeFileSync(join(inside, name), gone);
  const free = await lock(file);
  expect(readdirSync(inside)).toEqual(['snapshot.lock']);
  await free();
});

test('the lock of a process that runs is kept, and so is one that another takes over', async () => {
  const holder = String(process.ppid);
  const { inside, file } = fileWith(holder);
  await expect(lock(file)).rejects.toThrow(`Process ${holder} already uses the snapshot ${file}`);
  writeFileSync(`${file}.lock`, gone);
  writeFileSync(`${file}.lock.old`, holder);
  await expect(lock(file)).rejects.toThrow(`Process ${holder} already uses the snapshot`);
  expect(readdirSync(inside)).toEqual(['snapshot.lock', 'snapshot.lock.old']);
});

test.each([
  ['a pipe', (name: string) => execFileSync('mkfifo', [name])],
  ['a folder', (name: string) => mkdirSync(name)],
  ['a link', (name: string) => symlinkSync('/dev/zero', name)],
  ['a text', (name: string) => writeFileSync(name, 'my notes')],
  ['a large file', (name: string) => writeFileSync(name, '1'.repeat(1_000_000))],
])('%s in the place of the lock is refused and stays', async (_, make) => {
  const { inside, file } = fileWith(null);
  make(`${file}.lock`);
  await expect(lock(file)).rejects.toThrow(
    `The snapshot ${file} cannot be used: ${file}.lock is not the lock file of a registry`,
  );
  expect(readdirSync(inside)).toEqual(['snapshot.lock']);
});

test('the lock of a process that has ended, and that its parent has not noticed, counts for nothing', async () => {
  // It ends only after its parent has become `sleep`, which never collects it; a shell might.
  const child = '(until [ "$(cat /proc/$$/comm)" = sleep ]; do :; done)';
  const parent = spawn('sh', ['-c', `${child} & echo $!; exec sleep 600`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill());
  const [text] = await once(parent.stdout, 'data');
  const ended = Number(String(text));
  await expect.poll(() => readFileSync(`/proc/${ended}/stat`, 'utf8'), { timeout: 60_000 }).toContain(') Z ');
  const { file } = fileWith(String(ended));
  await (await lock(file))();
});

test('of several registries that find the lock of one that is gone, one keeps the file', async () => {
  const { file } = fileWith(gone);
  const flags = ['nmos', 'registry', '--port', '0', '--no-announce', '--snapshot', file];
  const commands = Array.from({ length: 4 }, () => new WhitelineCommand(flags));
  onTestFinished(() => {
    for (const command of commands) command.signal('SIGKILL');
  });
  const ends = commands.map(async (command) =>
    Promise.race([command.ended, command.says(/Ctrl-C/).then(() => null)]).catch(() => command.ended),
  );
  const refused = (await Promise.all(ends)).filter((end) => end !== null);
  expect(refused.map(({ errors }) => errors)).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('already uses the snapshot')),
  );
});
