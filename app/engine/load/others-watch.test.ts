import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { sleep } from '../clock';
import { OthersWatch } from './others-watch';

test('another program that burns a core is others, and what this one burns is not', async () => {
  const child = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await sleep(300);
  const watch = new OthersWatch();
  await sleep(1500);
  const { percent, whyUnknown } = watch.read();
  expect(whyUnknown).toBeNull();
  // Beside other work it may get less than a core; that work is others, too.
  expect(percent).toBeGreaterThan(80 / cpus().length);
  child.kill('SIGKILL');
  await sleep(100);
  const own = new OthersWatch();
  const end = performance.now() + 1000;
  while (performance.now() < end);
  // All that this one took at most is away.
  expect(own.read().percent).toBeLessThanOrEqual(100 - 50 / cpus().length);
});
