import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { exampleRow } from '../../testing/example-run';
import { loadSample } from '../../testing/load-sample';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { deriveInThread, deriveRunFile } from './derive-run';
import { readRun, runFiles } from './read-run';

const folder = join(temporaryFolder(), 'run');
const { recorder } = recorderIn(folder);
for (let index = 0; index < 3; index++) {
  recorder.sample(loadSample());
  recorder.row(exampleRow(index));
}
await recorder.end('finished', 'PASS', 'no frame lost');
const file = join(folder, runFiles.run);

test('run.json says what the other files say', () => {
  rmSync(file);
  deriveRunFile(folder, { running: false });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(readRun(folder))));
});

test('the thread of the built app derives the same, and leaves nothing behind', async () => {
  deriveRunFile(folder, { running: false });
  const here = readFileSync(file, 'utf8');
  rmSync(file);
  const derive = deriveInThread(resolve('.'));
  await derive(folder, { running: false });
  expect(readFileSync(file, 'utf8')).toBe(here);
  await derive(folder, { running: true });
  expect(existsSync(`${file}.${process.pid}.new`)).toBe(false);
});

test('what is wrong is reported as if it had been done here', async () => {
  const absent = join(folder, 'absent');
  await expect(deriveInThread(resolve('.'))(absent, { running: false })).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
    value: join(absent, runFiles.run),
  });
});
