import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { runTool, toolProcessIds } from './run-tool';

const timeoutSeconds = 10;
/** Against hanging alone. */
const hangsAfterMs = 60_000;

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
  const clock = new SimulatedClock();
  const args = ['-c', `${started} & echo $!; wait`];
  let child = Number.NaN;
  const isAlive = (): boolean => {
    const file = join('/proc', String(child), 'cmdline');
    return existsSync(file) && readFileSync(file, 'utf8').startsWith('sleep');
  };
  const onLine = (line: string): void => {
    child = Number(line);
  };
  const slow = runTool({ file: 'sh', args, timeoutSeconds: 0.5, onLine, after: clock.after.bind(clock) });
  const failed = expect(slow).rejects.toMatchObject({
    code: 'TOOL_FAILED',
    message: expect.stringMatching(/did not end within 0.5 s/),
  });
  onTestFinished(() => {
    if (isAlive()) process.kill(child, 'SIGKILL');
  });
  // By then it has left the group.
  await expect.poll(isAlive, { timeout: hangsAfterMs }).toBe(true);
  await clock.pass(500);
  await failed;
  if (isLeft) expect(isAlive()).toBe(true);
  else await expect.poll(isAlive, { timeout: hangsAfterMs }).toBe(false);
});

test('an abort ends it', async () => {
  const abort = new AbortController();
  const running = runTool({ file: 'sleep', args: ['1000'], timeoutSeconds: 1000, signal: abort.signal });
  const ended = expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  expect(toolProcessIds()).not.toEqual([]);
  abort.abort();
  await ended;
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
