import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterEach, expect, onTestFailed, test, vi } from 'vitest';
import type { Clock } from '../../../protocol/clock';
import { echoHelper } from '../../../testing/echo-helper';
import { temporaryFolder } from '../../../testing/temporary-folder';
import { machineClock } from '../../clock';
import { helperLimits } from './helper-watch';
import { Helpers } from './helpers';

// What no process is needed for: helper-process.test.ts.
const folder = temporaryFolder();
const events: { kind: string; text: string; details?: Record<string, unknown> }[] = [];
const time = { aheadNs: 0, looks: 0 };
const parents: ChildProcess[] = [];

/** The machine's, ahead by what a test says. */
const clock: Clock = {
  ...machineClock,
  monotonicNs: () => {
    time.looks += 1;
    return machineClock.monotonicNs() + time.aheadNs;
  },
};
const helpers = new Helpers(clock, (kind, text, details) => events.push({ kind, text, details }));

/** Time passes for the helpers only; the look that finds it passed judges nothing, the next ones do. */
async function pass(ms: number): Promise<void> {
  time.aheadNs += ms * 1e6;
  const from = time.looks;
  const isOver = (): boolean => Object.values(helpers.processIds).flat().length === 0;
  await vi.waitFor(() => expect(time.looks > from + 3 || isOver()).toBe(true));
}

/** Waits until a figure does not change any more. */
async function settled(read: () => number): Promise<void> {
  let before: number;
  do {
    before = read();
    await pass(0);
  } while (read() !== before);
}

async function start(program = echoHelper()) {
  return (await helpers.start(program)).helper;
}

function shell(script: string) {
  return echoHelper({
    file: '/bin/sh',
    args: ['-c', `echo '{"type":"ready","mostLineBytes":1}'; ${script}`],
  });
}

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  const closed = helpers.close();
  // Those that do not stop by themselves.
  for (const ids of Object.values(helpers.processIds)) for (const id of ids) kill(id);
  await closed;
  events.length = 0;
  time.aheadNs = 0;
});

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function isAlive(processId: number): boolean {
  const file = join('/proc', String(processId), 'stat');
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, 'utf8'));
}

test('it starts, answers, counts in its role, and stops', async () => {
  const { helper, ready } = await helpers.start(echoHelper());
  expect(ready).toEqual({ type: 'ready', mostLineBytes: 1024 * 1024 });
  const [processId = 0] = helpers.processIds.echo ?? [];
  // Not a shell between us.
  expect(readlinkSync(`/proc/${processId}/exe`)).toBe(echoHelper().file);
  const text = 'a "text"\n of two lines, \\, é, 😀, \u0001';
  await helper.send({ type: 'echo', text });
  expect(await helper.receive()).toEqual({ type: 'echo', text });
  expect(await helper.stop()).toEqual({ exitCode: 0, endSignal: null });
  expect(await helper.receive()).toBeNull();
  await expect(helper.send({ type: 'echo', text })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(helpers.processIds).toEqual({});
  expect(events).toEqual([]);
  expect(isAlive(processId)).toBe(false);
});

test('a crash is an event, and ends what waits with its signal and its last words', async () => {
  const helper = await start();
  const waiting = [helper.receive(), helper.receive()];
  await helper.send({ type: 'crash' });
  for (const answer of waiting) {
    await expect(answer).rejects.toMatchObject({
      code: 'HOST_DIED',
      message: expect.stringMatching(
        /^The echo helper was ended by SIGABRT\. Its last words: the echo helper was asked to crash$/,
      ),
      field: 'helper',
      remedy: expect.any(String),
    });
  }
  await expect(helper.send({ type: 'crash' })).rejects.toMatchObject({ code: 'HOST_DIED' });
  await expect(helper.receive()).rejects.toMatchObject({ code: 'HOST_DIED' });
  const details = { helper: 'echo helper', exitCode: null, endSignal: 'SIGABRT' };
  expect(events).toMatchObject([{ kind: 'helper-died', text: expect.stringMatching(/SIGABRT/), details }]);
});

test('it beats while it waits', async () => {
  const child = spawn(echoHelper().file, { stdio: ['pipe', 'pipe', 'inherit'] });
  parents.push(child);
  const kinds: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    kinds.push(JSON.parse(line).type);
    if (kinds.length === 4) child.stdin.end();
  }
  expect(kinds).toEqual(['ready', 'heartbeat', 'heartbeat', 'heartbeat']);
});

test('a flood is held up, and goes on when it is read', async () => {
  const helper = await start();
  const [processId = 0] = helper.processIds;
  const writtenBytes = (): number =>
    Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${processId}/io`, 'utf8'))?.[1]);
  await helper.send({ type: 'flood' });
  const heldUp = async (): Promise<void> => {
    await vi.waitFor(() => expect(helper.unreadBytes).toBeGreaterThanOrEqual(helperLimits.unreadBytes));
    await settled(writtenBytes);
  };
  await heldUp();
  // What waits, and what one read of a pipe brings.
  const mostBytes = helperLimits.unreadBytes + 64 * 1024;
  expect(helper.unreadBytes).toBeLessThan(mostBytes);
  const writtenBefore = writtenBytes();
  expect(writtenBefore).toBeLessThan(4 * mostBytes);
  let [whole, most] = [0, 0];
  for (let taken = 0; taken < 20_000; taken += 1) {
    if ((await helper.receive())?.text.length === 200) whole += 1;
    most = Math.max(most, helper.unreadBytes);
  }
  expect(whole).toBe(20_000);
  expect(most).toBeLessThan(mostBytes);
  expect(writtenBytes()).toBeGreaterThan(writtenBefore + 2_000_000);
});

test.each([
  ['no UTF-8', { type: 'writeNoUtf8' }, /a line that is no UTF-8: \{"type"/],
  ['a huge line', { type: 'writeHuge', bytes: 2_000_000 }, /a line of more than 1048576 bytes$/],
] as const)('%s ends it, with a clear error', async (_, command, message) => {
  const helper = await start();
  await helper.send({ type: 'echo', text: 'before' });
  await helper.send(command);
  // What came before is not lost.
  expect(await helper.receive()).toMatchObject({ text: 'before' });
  const error = await helper.receive().catch((problem) => problem);
  expect(error).toMatchObject({
    code: 'TOOL_FAILED',
    value: 'echo helper',
    message: expect.stringMatching(message),
  });
  expect(error.message).toMatch(/^The echo helper was ended, since it sent /);
  expect(error.message.length).toBeLessThan(400);
  expect(helper.processIds).toEqual([]);
  expect(events).toMatchObject([{ kind: 'helper-died' }]);
});

test('a helper that reads slowly makes a sender wait', async () => {
  const text = 'x'.repeat(64 * 1024);
  const most = 200;
  const helper = await start();
  await helper.send({ type: 'slow', pauseMs: 60_000 });
  let sent = 0;
  const sending = (async () => {
    for (; sent < most; sent += 1) await helper.send({ type: 'take', text });
  })().catch((error) => error);
  await settled(() => sent);
  expect(sent).toBeLessThan(most / 2);
  const stopped = helper.stop();
  expect(await sending).toMatchObject({ code: 'ABORTED' });
  await pass(helperLimits.stopMs + 100);
  expect(await stopped).toEqual({ exitCode: null, endSignal: 'SIGTERM' });
});

test('a helper that reads slowly gets all of it', async () => {
  const helper = await start();
  await helper.send({ type: 'slow', pauseMs: 1 });
  const text = 'x'.repeat(64 * 1024);
  const sends = Array.from({ length: 100 }, () => helper.send({ type: 'take', text }));
  await Promise.all([...sends, helper.send({ type: 'echo', text: 'last' })]);
  expect(await helper.receive()).toMatchObject({ text: 'last' });
});

test('one that ignores the word is ended by SIGTERM, one that ignores that by SIGKILL', async () => {
  const deaf = await start();
  await deaf.send({ type: 'deaf' });
  expect(await deaf.receive()).toMatchObject({ text: 'deaf' });
  const ended = deaf.stop();
  await pass(helperLimits.stopMs + 100);
  expect(deaf.processIds).toHaveLength(1);
  await pass(helperLimits.terminateMs + 100);
  expect(await ended).toEqual({ exitCode: null, endSignal: 'SIGKILL' });
  await expect(deaf.receive()).rejects.toMatchObject({
    message: 'The echo helper did not stop in order: it was killed (SIGKILL)',
  });
  expect(events).toHaveLength(1);
});

test('one that closes its input is ended', async () => {
  const helper = await start(shell(`exec 0<&-; echo '{"type":"echo","text":"closed"}'; exec sleep 1000`));
  expect(await helper.receive()).toMatchObject({ text: 'closed' });
  const sending = helper.send({ type: 'take', text: '' }).then(() => helper.send({ type: 'take', text: '' }));
  const failed = expect(sending).rejects.toMatchObject({
    message: expect.stringMatching(/does not read commands any more/),
  });
  await pass(helperLimits.deafMs + 100);
  await failed;
});

test('what it started goes with it', async () => {
  const helper = await start(shell(`sleep 1000 & echo '{"type":"echo","text":"'$!'"}'; wait`));
  const child = Number((await helper.receive())?.text);
  expect(isAlive(child)).toBe(true);
  kill(helper.processIds[0] ?? 0);
  await expect(helper.receive()).rejects.toMatchObject({ message: expect.stringMatching(/SIGKILL/) });
  await vi.waitFor(() => expect(isAlive(child)).toBe(false));
});

test('a process that left its group keeps the pipes open, and no one waits for it', async () => {
  const helper = await start(shell(`setsid sleep 1000 & echo '{"type":"echo","text":"'$!'"}'; exit 3`));
  const child = Number((await helper.receive())?.text);
  const failed = expect(helper.receive()).rejects.toMatchObject({
    message: expect.stringMatching(/ended with code 3$/),
  });
  await vi.waitFor(() => expect(helper.processIds).toEqual([]));
  time.aheadNs += (helperLimits.pipesMs + 100) * 1e6;
  await failed;
  kill(child);
});

test('a file that is missing or is no program is named, with the remedy', async () => {
  const missing = join(folder, 'no-helper');
  await expect(helpers.start(echoHelper({ file: missing }))).rejects.toMatchObject({
    code: 'TOOL_MISSING',
    message: `The echo helper cannot be started: ${missing} does not exist`,
    field: 'helper',
    value: missing,
    remedy: 'npm test -- helpers builds it',
  });
  const plain = join(folder, 'plain');
  writeFileSync(plain, 'no program');
  chmodSync(plain, 0o644);
  await expect(helpers.start(echoHelper({ file: plain }))).rejects.toMatchObject({
    message: expect.stringMatching(/is not executable$/),
  });
});

test.each([
  ['by the kernel, even where it notices nothing', process.env.PATH, ['sleep']],
  ['by itself where the kernel does not end it', '', []],
  ['by itself even where it hangs', '', ['hang']],
])('it dies with us %s', async (_, PATH, words) => {
  const parent = spawn(process.execPath, [await parentFile(), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH },
  });
  parents.push(parent);
  const processId = await new Promise<number>((found) =>
    parent.stdout.once('data', (text: Buffer) => found(Number(text.toString()))),
  );
  onTestFailed(() => kill(processId));
  expect(isAlive(processId)).toBe(true);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(processId)).toBe(false));
});

async function parentFile(): Promise<string> {
  const file = join(folder, 'parent.mjs');
  if (!existsSync(file)) {
    await build({
      ...{ configFile: false, logLevel: 'warn', publicDir: false },
      ssr: { noExternal: true, target: 'node' },
      build: {
        ...{ ssr: true, outDir: folder, emptyOutDir: false, minify: false },
        rolldownOptions: {
          input: { parent: resolve('app/testing/helper-parent.ts') },
          output: { format: 'es', entryFileNames: '[name].mjs', codeSplitting: false },
        },
      },
    });
  }
  return file;
}
