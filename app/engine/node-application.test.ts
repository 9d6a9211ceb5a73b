import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { startExperiment } from './node-application';

const folder = temporaryFolder();

/** What came of a process, in its order. */
async function heardOf(script: string): Promise<string[]> {
  const file = join(folder, 'says.cjs');
  writeFileSync(file, script);
  const child = startExperiment(file);
  const heard: string[] = [];
  child.onMessage((message) => heard.push(message));
  const ended = new Promise<void>((resolve) => {
    child.onExit(() => {
      heard.push('exit');
      resolve();
    });
  });
  // While we are busy it says all that it has to say and ends: both are there to be read at once.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  await ended;
  return heard;
}

test('what a process says last is heard before its end', async () => {
  const script = `
    const words = Array.from({ length: 20 }, (_, index) => String(index));
    for (const word of words.slice(0, -1)) process.send(word);
    process.send(words.at(-1), () => process.exit(0));`;
  const heard = await heardOf(script);
  expect(heard).toHaveLength(21);
  expect(heard.at(-1)).toBe('exit');
});

test('a process that is killed has ended once', async () => {
  expect(await heardOf('process.kill(process.pid, "SIGKILL")')).toEqual(['exit']);
});
