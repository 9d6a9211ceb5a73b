import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPlainSender, startPlainSender } from '../testing/plain-sender';
import { type ProjectTest, TestkitProject, tolerant } from '../testing/testkit-project';

/** What a test of a stranger may meet: each ends in one sentence, and leaves no process. */

let project: TestkitProject;

beforeAll(() => {
  project = new TestkitProject();
});
afterAll(() => project?.remove());

const head = `
import { test, expect } from 'whiteline/vitest';
import { watch as watchAlone, send as sendAlone, readRun } from 'whiteline';
const format = '320x180@25';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
`;

async function testsOf(name: string, body: string): Promise<Map<string, ProjectTest>> {
  project.write(`${name}.test.js`, head + body);
  const { tests, output } = await project.vitest(`${name}.test.js`);
  expect(tests.length, output).toBeGreaterThan(0);
  await project.leavesNothingBehind();
  return new Map(tests.map((one) => [one.name, one]));
}

const firstLine = (one: ProjectTest | undefined): string =>
  one?.passed ? 'passed' : (one?.text.split('\n')[0] ?? 'absent');

test('what cannot be watched or sent is refused with a sentence', async () => {
  const tests = await testsOf(
    'refused',
    `
    test('absent', async ({ watch }) => { await watch('Nobody at all', { within: '1s' }); }, 60_000);
    test('empty', async ({ watch }) => { await watch(' '); });
    test('address', async ({ watch }) => { await watch('x', { address: 'nowhere' }); });
    test('within', async ({ watch }) => { await watch('x', { within: 'soon' }); });
    test('format', async ({ send }) => { await send('white-line', { format: 'large' }); }, 60_000);
    test('movie', async ({ send }) => { await send('/no/such/movie.mov'); }, 60_000);
    test('streams', async ({ send }) => { await send('white-line', { streams: 0 }); });
    test('other', async () => { await expect('x').toLoseNoFrames(); });
    test('folder', async () => { await readRun('/no/such/folder'); });
    `,
  );
  expect(firstLine(tests.get('absent'))).toMatch(/No sender named Nobody at all was found within 1 s\. /);
  expect(firstLine(tests.get('empty'))).toMatch(/Expected the name of a source for source but received/);
  expect(firstLine(tests.get('address'))).toMatch(/ for address but received nowhere/);
  expect(firstLine(tests.get('within'))).toMatch(/Expected a duration for within but received soon/);
  expect(firstLine(tests.get('format'))).toMatch(/ for format but received large/);
  expect(firstLine(tests.get('movie'))).toMatch(/\/no\/such\/movie\.mov/);
  expect(firstLine(tests.get('streams'))).toMatch(
    /Expected a whole number from 1 to 64 for streams but received 0/,
  );
  expect(firstLine(tests.get('other'))).toMatch(/Expected what watch\(\) gave/);
  expect(firstLine(tests.get('folder'))).toMatch(/\/no\/such\/folder holds no run/);
});

test('without an NDI runtime it says what to install', async () => {
  project.write(
    'no-ndi.mjs',
    `import { watch } from 'whiteline'; await watch('x').catch((error) => console.log(error.code, error.message));`,
  );
  const output = await project.run('no-ndi.mjs', [], { WHITELINE_NDI_PATH: '/no/such/libndi.so' });
  expect(output).toMatch(/^NDI_MISSING No NDI runtime was found\.[\s\S]*Install the NDI runtime/);
  await project.leavesNothingBehind();
});

test('a sender that vanishes is an outage, one that comes back has recovered, and a signal ends both', async () => {
  project.write('busy.yaml', tolerant);
  const tests = await testsOf(
    'vanishing',
    `
    test('gone', async ({ send, watch }) => {
      const sent = await send('white-line', { name: 'Gone', format });
      const stream = await watch(sent.sources[0]);
      await sent.close();
      await expect(stream).not.toLoseNoFrames({ for: '3s' });
      await expect(stream).not.toRecoverWithin('1s');
      await expect(stream).toLoseAtMost({ frames: 1 });
    }, 60_000);
    test('back', async ({ send, watch }) => {
      const sent = await send('white-line', { name: 'Back', format });
      const stream = await watch(sent.sources[0]);
      await sent.close();
      await wait(2000);
      await send('white-line', { name: 'Back', format });
      await expect(stream).toRecoverWithin('30s');
      await stream.mark();
      const { seconds, rows } = await stream.measure({ for: '1s' });
      expect(seconds).toBeGreaterThan(0.9);
      expect(rows.every(({ figures }) => figures.framesInOutages === 0)).toBe(true);
    }, 90_000);
    test('whole but for its absence', async ({ send, watch }) => {
      const sent = await send('white-line', { name: 'Absent', format });
      const stream = await watch(sent.sources[0], { thresholds: 'busy.yaml' });
      await sent.close();
      await wait(1500);
      await send('white-line', { name: 'Absent', format });
      await expect(stream).toRecoverWithin('30s');
      const unseen = /was not measured: no picture from [\\d:.]+ to [\\d:.]+ UTC.*; whether it was so then was not seen/;
      for (const judged of [expect(stream), expect(stream).not]) {
        await expect(judged.toBeWhole()).rejects.toThrow(unseen);
        await expect(judged.toRepeatNoFrames()).rejects.toThrow(unseen);
      }
      await expect(expect(stream).toLoseNoFrames()).rejects.toThrow(/ lost \\d+ frames in /);
    }, 90_000);
    test('after one that never came', async ({ send, watch }) => {
      const sent = await send('white-line', { name: 'Later', format });
      await expect(watch('Never 1', { within: '1s' })).rejects.toMatchObject({ code: 'NO_VIDEO' });
      await expect(watch('Never 1', { within: '1s' })).rejects.toMatchObject({ code: 'NO_VIDEO' });
      expect((await watch(sent.sources[0])).folder).toMatch(/watch-3$/);
    }, 60_000);
    test('signal', async () => {
      const stop = new AbortController();
      const sent = await sendAlone('white-line', { name: 'Signal', format, signal: stop.signal });
      const stream = await watchAlone(sent.sources[0], { signal: stop.signal });
      stop.abort();
      await expect(stream.measure({ for: '1m' })).rejects.toMatchObject({ code: 'ABORTED' });
      await Promise.all([stream.close(), sent.close()]);
      await expect(watchAlone('x', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    }, 60_000);
    `,
  );
  expect(firstLine(tests.get('gone'))).toMatch(/Gone 1\) lost \d+ frames in /);
  expect(firstLine(tests.get('back'))).toBe('passed');
  expect(firstLine(tests.get('whole but for its absence'))).toBe('passed');
  expect(firstLine(tests.get('after one that never came'))).toBe('passed');
  expect(firstLine(tests.get('signal'))).toBe('passed');
});

test('a sender without our code counts by its timestamps, and nobody can say that it is whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whiteline-plain-'));
  const sender = await startPlainSender(buildPlainSender(folder), 'Plain Kit', []);
  try {
    const tests = await testsOf(
      'foreign',
      `
      test('method', async ({ watch }) => {
        const stream = await watch('Plain Kit');
        expect(stream.method).toBe('timestamps');
        expect((await stream.measure({ for: '2s' })).rows[0].figures.picturesCaptured).toBeGreaterThan(0);
      }, 60_000);
      test('whole', async ({ watch }) => {
        await expect(await watch('Plain Kit')).toBeWhole({ for: '1s' });
      }, 60_000);
      test('cuts', async ({ watch }) => {
        const stream = await watch('Plain Kit', { programme: true });
        expect(await stream.cuts()).toBe(null);
        expect((await stream.measure()).rows[0].figures.cuts).toBe(null);
        await expect(stream).toHaveCuts(0);
      }, 60_000);
      test('not whole', async ({ watch }) => {
        await expect(await watch('Plain Kit')).not.toBeWhole({ for: '1s' });
      }, 60_000);
      `,
    );
    expect(firstLine(tests.get('method'))).toBe('passed');
    expect(firstLine(tests.get('cuts'))).toMatch(/cuts cannot be seen: the source has no frame code/);
    for (const name of ['whole', 'not whole'])
      expect(firstLine(tests.get(name))).toMatch(/Plain Kit\) was not measured: /);
  } finally {
    sender.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a test that ends in the middle, and parallel workers, leave nothing', async () => {
  const body = `${head}
    test('ends', async ({ send, watch }) => {
      const sent = await send('white-line', { name: 'Parallel', format });
      const stream = await watch(sent.sources[0]);
      await expect(stream).toBeWhole({ for: '1s' });
      await expect(stream).toLoseNoFrames({ for: '10m' });
    }, 15_000);`;
  for (const name of ['one', 'two']) project.write(`parallel-${name}.test.js`, body);
  const { tests, output } = await project.vitest('parallel-', '--maxWorkers=2');
  expect(tests, output).toHaveLength(2);
  expect(output.match(/Test timed out in 15000ms/g)).toHaveLength(2);
  await project.leavesNothingBehind();
});

test('a plan of streams runs into a folder, and others are refused by their name', async () => {
  const tests = await testsOf(
    'plan',
    `
    import { run } from 'whiteline';
    const load = { experiment: 'stream-load', parameters: { format, maxStreams: 1, holdSeconds: 2, warmUpSeconds: 1 } };
    test('run', async () => {
      const { verdict, runs, folder } = await run({ name: 'Short', experiments: [load] }, { out: 'runs/short' });
      expect([folder, runs.map(({ experiment, state }) => [experiment, state])]).toEqual(['runs/short', [['stream-load', 'finished']]]);
      expect(runs[0].verdict).toBe(verdict);
      expect(runs[0].rows.at(-1).figures.framesReceived).toBeGreaterThan(0);
    }, 120_000);
    test('refused', async () => {
      await run({ name: 'Others', experiments: [load, { experiment: 'storage' }] }, { out: 'runs/others' });
    });
    test('stopped', async () => {
      const { verdict, runs } = await run({ name: 'Stopped', experiments: [load] }, { out: 'runs/stopped', signal: AbortSignal.abort() });
      expect([verdict, runs]).toEqual([null, []]);
    }, 60_000);
    `,
  );
  expect(firstLine(tests.get('run'))).toBe('passed');
  expect(firstLine(tests.get('stopped'))).toBe('passed');
  expect(firstLine(tests.get('refused'))).toMatch(
    /Expected an experiment of streams alone .* for experiment but received storage/,
  );
});

test('a worker that is killed leaves no process', async () => {
  project.write(
    'killed.mjs',
    `import { send, watch } from 'whiteline';
     const sent = await send('white-line', { name: 'Killed', format: '320x180@25' });
     const stream = await watch(sent.sources[0]);
     console.log('watching', stream.name);`,
  );
  const child = project.start(['killed.mjs']);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  expect(project.processes().length).toBeGreaterThan(2);
  child.kill('SIGKILL');
  await project.leavesNothingBehind();
});
