import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pass, stopTime, whileTimeStands } from '../../testing/simulated-time';
import { runTool } from './run-tool';

const timeoutSeconds = 10;

test('output, errors and exit status are reported', async () => {
  const lines: string[] = [];
  const script = 'echo one; echo two >&2; printf three; exit 3';
  const args = ['-c', script];
  const result = await runTool({ file: 'sh', args, timeoutSeconds, onLine: (line) => lines.push(line) });
  expect(result).toEqual({ stdout: 'one\nthree', stderr: 'two\n', exitCode: 3, endSignal: null });
  expect(lines).toEqual(['one']);
});

test('a program that is not there is named', async () => {
  const missing = runTool({ file: 'no-such-tool', args: [], timeoutSeconds });
  await expect(missing).rejects.toMatchObject({ code: 'TOOL_MISSING', value: 'no-such-tool' });
});

test('one that does not end is stopped', async () => {
  const slow = runTool({ file: 'sleep', args: ['60'], timeoutSeconds: 0.2 });
  await expect(slow).rejects.toMatchObject({
    code: 'TOOL_FAILED',
    message: expect.stringMatching(/did not end within 0.2 s/),
  });
});

test.runIf(process.platform !== 'win32').each([
  ['and it ends with it', 'sleep 62', false],
  ['unless that left its group', 'setsid sleep 62', true],
])('one that does not end is not waited for by what it started, %s', async (_, started, isLeft) => {
  stopTime();
  onTestFinished(() => void vi.useRealTimers());
  const args = ['-c', `${started} & echo $!; wait`];
  let child = Number.NaN;
  const isAlive = (): boolean => {
    const file = join('/proc', String(child), 'cmdline');
    return existsSync(file) && readFileSync(file, 'utf8').startsWith('sleep');
  };
  const onLine = (line: string): void => {
    child = Number(line);
  };
  const began = Date.now();
  const slow = runTool({ file: 'sh', args, timeoutSeconds: 0.5, onLine });
  const failed = expect(slow).rejects.toMatchObject({
    code: 'TOOL_FAILED',
    message: expect.stringMatching(/did not end within 0.5 s/),
  });
  onTestFinished(() => {
    if (isAlive()) process.kill(child, 'SIGKILL');
  });
  // By then it has left the group.
  await whileTimeStands(isAlive);
  await pass(500);
  await failed;
  // Much sooner than what it started ends by itself.
  expect(Date.now() - began).toBeLessThan(30_000);
  if (isLeft) expect(isAlive()).toBe(true);
  else await expect.poll(isAlive).toBe(false);
});

test('an abort ends it', async () => {
  const abort = new AbortController();
  const started = Date.now();
  const running = runTool({ file: 'sleep', args: ['60'], timeoutSeconds: 60, signal: abort.signal });
  setTimeout(() => abort.abort(), 100);
  await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  expect(Date.now() - started).toBeLessThan(30_000);
  const late = runTool({ file: 'sleep', args: ['60'], timeoutSeconds, signal: abort.signal });
  await expect(late).rejects.toMatchObject({ code: 'ABORTED' });
});

test.runIf(process.platform === 'linux')(
  'it dies with the process that started it, even by SIGKILL',
  async () => {
    const program = `setpriv --pdeathsig KILL -- sleep 61 & echo $!; wait`;
    const parent = spawn('sh', ['-c', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    const child = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
    );
    const isAlive = (): boolean => {
      const file = join('/proc', String(child), 'cmdline');
      return existsSync(file) && readFileSync(file, 'utf8').startsWith('sleep');
    };
    await vi.waitFor(() => expect(isAlive()).toBe(true));
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(isAlive()).toBe(false));
  },
);
