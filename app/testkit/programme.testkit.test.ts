import { afterAll, beforeAll, expect, test } from 'vitest';
import { mixerLibrary, mixerProgram } from '../testing/mixer';
import { TestkitProject, tolerant } from '../testing/testkit-project';

/** A mixer that dies, that cuts back, and that is watched as if it were one source: from the tarball, with the real mixer. */

let project: TestkitProject;

beforeAll(() => {
  project = new TestkitProject();
});
afterAll(() => project?.remove());

const file = `
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test as withWhiteline, expect } from 'whiteline/vitest';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const test = withWhiteline.extend({
  mixer: async ({ send }, use) => {
    const cameras = await send('white-line', { name: 'Camera', streams: 2, ownSources: true, format: '320x180@25' });
    const { sources } = cameras;
    const child = spawn(process.env.MIXER, ['--library', process.env.NDI_LIBRARY, '--name', 'Mixer', ...sources]);
    const gone = new Promise((resolve) => child.once('close', resolve));
    const name = await new Promise((resolve) => {
      createInterface(child.stdout).on('line', (line) => line.includes('"ready"') && resolve(JSON.parse(line).name));
    });
    const command = (line) => child.stdin.write(line + '\\n');
    await use({ child, name, sources, cameras, command, cut: (input) => command('cut ' + input) });
    child.stdin.end();
    await gone;
  },
});

const nothing = /no picture that can be counted came since the mark/;

test('dead', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name, { programme: true });
  mixer.child.kill('SIGKILL');
  await wait(1000);
  await stream.mark();
  await expect(expect(stream).toBeWhole({ for: '1s' })).rejects.toThrow(nothing);
  await expect(expect(stream).toHaveCuts(0)).rejects.toThrow(nothing);
  await expect(expect(stream).not.toHaveCuts(1)).rejects.toThrow(nothing);
  await expect(expect(stream).toCutTo(mixer.sources[1])).rejects.toThrow(nothing);
  await expect(expect(stream).not.toCutTo(mixer.sources[1])).rejects.toThrow(nothing);
});

test('dead behind its cut', async ({ watch, mixer }) => {
  const [first, second] = mixer.sources;
  const stream = await watch(mixer.name, { programme: true });
  mixer.cut(2);
  await expect(stream).toCutTo(second, { within: '5s' });
  mixer.child.kill('SIGKILL');
  const unseen = /whether it cut then was not seen/;
  await expect(expect(stream).not.toCutTo(first)).rejects.toThrow(unseen);
  await expect(expect(stream).toHaveCuts(1)).rejects.toThrow(unseen);
  await expect(expect(stream).not.toHaveCuts(2)).rejects.toThrow(unseen);
});

/** Of this worker: what sends is started before what watches. */
const hosts = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return new RegExp('PPid:\\\\s' + process.pid + '\\\\n').test(readFileSync('/proc/' + pid + '/status', 'utf8')) &&
        readFileSync('/proc/' + pid + '/cmdline', 'utf8').includes('streamhost');
    } catch {
      return false;
    }
  });

test('its cameras begin anew', async ({ watch, mixer }) => {
  const [sending] = hosts();
  const stream = await watch(mixer.name, { programme: true });
  const before = (await stream.measure({ for: '1s' })).rows.at(-1).figures.picturesCaptured;
  expect(before).toBeGreaterThan(0);
  process.kill(Number(sending), 'SIGKILL');
  mixer.command('stuck 1');
  mixer.cut(2);
  await wait(8000);
  expect(await stream.cuts()).toEqual([]);
  expect((await stream.measure()).rows.reduce((sum, { figures }) => sum + figures.cuts, 0)).toBeGreaterThan(0);
  await expect(expect(stream).toCutTo(mixer.sources[1])).rejects.toThrow(/did not cut|was not seen/);
});

test('frozen', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name, { programme: true });
  mixer.command('repeat 1000000');
  mixer.cut(2);
  await wait(2000);
  await stream.mark();
  for (const matched of [
    () => expect(stream).toLoseNoFrames({ for: '2s' }),
    () => expect(stream).toLoseNoFrames({ for: 0 }),
    () => expect(stream).toStallNever(),
    () => expect(stream).toRepeatNoFrames(),
    () => expect(stream).toHaveCuts(0),
    () => expect(stream).not.toCutTo(mixer.sources[1]),
    () => expect(stream).toRecoverWithin('1s'),
  ])
    await expect(matched(), matched.toString()).rejects.toThrow();
});

test('dissolve', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name, { programme: true });
  // The fourth of seven is half of each, and reads as neither.
  mixer.command('dissolve 2 7');
  await expect(stream).toCutTo(mixer.sources[1], { within: '5s' });
  const [{ mixed, missing, isEstimate }] = await stream.cuts();
  expect(mixed).toBeGreaterThan(0);
  if (!isEstimate) expect(missing).toBe(0);
  await expect(expect(stream).toRepeatNoFrames()).rejects.toThrow(/had no readable number|repeated \\d+ frames|INVALID/);
});

test('black', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Black', format: '320x180@25' });
  const stream = await watch(sent.sources[0]);
  await sent.inject('black:0-500');
  await wait(1500);
  await stream.mark();
  for (const matched of [
    () => expect(stream).toLoseNoFrames({ for: '2s' }),
    () => expect(stream).toBeWhole(),
    () => expect(stream).not.toBeWhole({ for: 'soon' }),
    () => expect(stream).toStallNever({ for: '1s' }),
    () => expect(stream).toRepeatNoFrames(),
    () => expect(stream).toLoseAtMost({ frames: 1e6 }),
    () => expect(stream).toLoseAtMost({ frames: 2, for: 0 }),
  ])
    await expect(matched(), matched.toString()).rejects.toThrow();
});

test('marked meanwhile', async ({ send, watch }) => {
  const sent = await send('white-line', { name: 'Marked', format: '320x180@25' });
  const stream = await watch(sent.sources[0]);
  await sent.inject('skip:0-9; tear:12');
  const both = Promise.allSettled([
    expect(stream).toLoseNoFrames({ for: '3s' }),
    expect(stream).toBeWhole({ for: '3s' }),
  ]);
  await wait(2000);
  await stream.mark();
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('half the rate', async ({ send, watch }) => {
  const names = ['Fast', 'Slow'];
  const rates = ['50', '25'];
  const sources = [];
  for (const [index, name] of names.entries())
    sources.push((await send('white-line', { name, format: '320x180@' + rates[index] })).sources[0]);
  const child = spawn(process.env.MIXER, ['--library', process.env.NDI_LIBRARY, '--name', 'Half', ...sources]);
  try {
    const shown = [];
    const name = await new Promise((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        const said = JSON.parse(line);
        if (said.type === 'ready') resolve(said.name);
        if (said.type === 'shown') shown.push(said);
      });
    });
    const stream = await watch(name, { programme: true });
    child.stdin.write('cut 2\\n');
    await expect(stream).toCutTo(sources[1], { within: '5s' });
    await wait(1500);
    // At every second tick the slow input has no picture: a cut at that tick repeats one of the fast input.
    const [{ repeated }] = await stream.cuts();
    expect(repeated).toBe(shown[0].repeated);
    child.stdin.write('cut 1\\n');
    await expect(stream).toCutTo(sources[0], { within: '5s' });
    const cuts = await stream.cuts();
    expect(cuts[1].from.repeated / cuts[1].from.frames).toBeCloseTo(1, 0);
    if (!cuts[1].isEstimate) expect([cuts[1].missing, cuts[1].repeated <= 1]).toEqual([shown[1].skipped, true]);
    await expect(expect(stream).toRepeatNoFrames()).rejects.toThrow(/repeated \\d+ frames|INVALID/);
  } finally {
    child.stdin.end();
  }
});

test('back', async ({ watch, mixer }) => {
  const [, second] = mixer.sources;
  const stream = await watch(mixer.name, { programme: true });
  mixer.cut(2);
  await expect(stream).toCutTo(second, { within: '5s' });
  mixer.cut(1);
  await stream.cuts('10s', (cuts) => cuts.length > 1);
  await expect(expect(stream).toHaveCuts(1)).rejects.toThrow(/had 2 cuts: .*, expected 1/);
  await expect(stream).not.toCutTo(second);
});

test('stopped', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name, { programme: true });
  mixer.child.kill('SIGSTOP');
  try {
    await expect(expect(stream).toRecoverWithin('1s')).rejects.toThrow(/was not back within 1 s/);
    await expect(expect(stream).toBeWhole()).rejects.toThrow(/was not measured: /);
  } finally {
    mixer.child.kill('SIGCONT');
  }
});

test('cut just now', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name, { programme: true });
  mixer.cut(2);
  await expect(expect(stream).toHaveCuts(0)).rejects.toThrow(/had 1 cut: /);
  await expect(expect(stream).not.toHaveCuts(1, { for: 1 })).rejects.toThrow(/had 1 cut: /);
  for (const name of ['Camera2', mixer.name])
    await expect(expect(stream).not.toCutTo(name)).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

test('the same frames', async ({ send, watch }) => {
  const { sources } = await send('white-line', { name: 'Twin', streams: 2, format: '320x180@25' });
  const child = spawn(process.env.MIXER, ['--library', process.env.NDI_LIBRARY, '--name', 'Twins', ...sources]);
  try {
    const name = await new Promise((resolve) => {
      createInterface(child.stdout).on('line', (line) => line.includes('"ready"') && resolve(JSON.parse(line).name));
    });
    const stream = await watch(name, { programme: true });
    child.stdin.write('cut 2\\n');
    const alike = /Twins\\) was not measured: .*Twin 1\\) and .*Twin 2\\) show the same frames.*ownSources: true/;
    await expect(expect(stream).toHaveCuts(0)).rejects.toThrow(alike);
    await expect(expect(stream).not.toCutTo(sources[1])).rejects.toThrow(alike);
  } finally {
    child.stdin.end();
  }
});

test('as one source', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name);
  mixer.cut(2);
  await expect(expect(stream).toBeWhole({ for: '2s' })).rejects.toThrow(/was not measured: .*programme: true|INVALID/);
  await expect(expect(stream).not.toBeWhole()).rejects.toThrow(/was not measured: /);
});

test('as one source, with a pause at its cut', async ({ watch, mixer }) => {
  const stream = await watch(mixer.name, { thresholds: 'busy.yaml' });
  mixer.command('drop 40');
  mixer.cut(2);
  await expect(stream).toRecoverWithin('30s');
  const cut = /was not measured: no picture from .*; its sender was started again, or a mixer cut: watch a mixer with programme: true/;
  for (const judged of [expect(stream), expect(stream).not]) {
    await expect(judged.toBeWhole()).rejects.toThrow(cut);
    await expect(judged.toRepeatNoFrames()).rejects.toThrow(cut);
  }
});
`;

test('a programme that nobody saw, that cut back, or that went unjudged', async () => {
  project.write('vitest.config.js', 'export default { test: { testTimeout: 60_000 } };');
  project.write('busy.yaml', tolerant);
  project.write('programme.test.js', file);
  const environment = { MIXER: mixerProgram, NDI_LIBRARY: mixerLibrary };
  const { tests, output } = await project.vitestWith(environment, 'programme.test.js');
  expect(
    tests.map(({ name, text }) => [name, text]),
    output,
  ).toEqual([
    ...[
      ['dead', ''],
      ['dead behind its cut', ''],
      ['its cameras begin anew', ''],
      ['frozen', ''],
      ['dissolve', ''],
      ['black', ''],
      ['marked meanwhile', ''],
      ['half the rate', ''],
      ['back', ''],
      ['stopped', ''],
      ['cut just now', ''],
      ['the same frames', ''],
      ['as one source', ''],
      ['as one source, with a pause at its cut', ''],
    ],
  ]);
  await project.leavesNothingBehind();
});
