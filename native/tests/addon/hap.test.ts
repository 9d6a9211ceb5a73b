import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LateCause, type MovieCheckStatus, SlotState } from '../../../app/protocol/records';
import type { Source, SourceOptions } from '../../addon/index';
import { addon, keep, smallFormat, waitFor } from './addon_fixture';

const clip = join(process.cwd(), 'test-content', 'bars-640x360-30-hap.mov');
const folder = mkdtempSync(join(tmpdir(), 'whiteline-hap-'));

afterAll(() => rmSync(folder, { recursive: true }));

function openHap(hap: Partial<SourceOptions['hap']>, options: Partial<SourceOptions> = {}): Source {
  const source = new addon.Source({
    kind: 'hap',
    ...smallFormat,
    rateNumerator: 100,
    hap: { path: clip, startFrame: 0, preload: false, reads: 'cached', ...hap },
    ...options,
  });
  return keep(source);
}

interface Slots {
  state: number[];
  lateCause: number[];
}

function waitForSlots(source: Source, count: number): Promise<Slots> {
  const slots: Slots = { state: [], lateCause: [] };
  return waitFor(`${count} slots`, () => {
    const { state, lateCause } = source.drain();
    slots.state.push(...state);
    slots.lateCause.push(...lateCause);
    return slots.state.length >= count ? slots : undefined;
  });
}

test.each([
  ['from disk', 'uyvy' as const, false],
  ['from memory, as BGRA', 'bgra' as const, true],
])('a Hap movie plays %s', async (_, pixelFormat, preload) => {
  const source = openHap({ preload }, { pixelFormat });
  const { state, lateCause } = await waitForSlots(source, 60);
  expect(state).toContain(SlotState.Released);
  expect(lateCause).toHaveLength(state.length);
  for (const [index, cause] of lateCause.entries()) {
    expect(cause !== LateCause.None).toBe(state[index] === SlotState.LateSource);
  }
  const status = source.status();
  expect(status).toMatchObject({ state: 'running', message: '', commandProcessId: 0 });
  expect(status).toMatchObject({ damagedPictures: 0, damage: '' });
  if (preload) expect(status.diskRateMBps).toBeNull();
  else expect(status.diskRateMBps).toBeGreaterThan(0);
});

test('a clip that is cut short is damaged frame by frame, and recovers when it is whole again', async () => {
  const path = join(folder, 'cut.mov');
  copyFileSync(clip, path);
  const source = openHap({ path });
  await waitForSlots(source, 5);
  truncateSync(path, 1000);
  const damaged = () => source.drain().lateCause.includes(LateCause.Damaged);
  await waitFor('damage', () => (damaged() ? true : undefined));
  expect(source.status().state).toBe('running');
  expect(source.status().damagedPictures).toBeGreaterThan(0);
  expect(source.status().damage).toMatch(/cut\.mov.*frame \d+.*byte \d+/);
  copyFileSync(clip, path);
  source.drain();
  const lastState = () => [...source.drain().state].pop();
  await waitFor('a good picture', () => (lastState() === SlotState.Released ? true : undefined));
});

test.each([
  ['a movie that is missing', { path: '/nowhere/movie.mov' }, {}, /\/nowhere\/movie\.mov/],
  ['a folder', { path: folder }, {}, /whiteline-hap-/],
  [
    'a frame that it does not have',
    { startFrame: 30 },
    {},
    /from 0 to 29 for hap.startFrame but received 30/,
  ],
  ['another size', {}, { width: 1280 }, /a movie of 1280×360 for hap.path but received one of 640×360/],
])('%s: the source fails and says why', async (_, hap, options, expected) => {
  const source = openHap(hap, options);
  await waitFor('failure', () => (source.status().state === 'failed' ? true : undefined));
  expect(source.status().message).toMatch(expected);
  expect(source.status().startNs).toBe(0);
});

function check(path: string, decode: boolean): Promise<MovieCheckStatus> {
  const movieCheck = keep(new addon.MovieCheck({ path, decode, reads: 'cached' }));
  return waitFor('the end of the check', () => {
    const status = movieCheck.status();
    return status.state === 'running' ? undefined : status;
  });
}

test.each([false, true])('a check reports the facts of a movie (decode: %s)', async (decode) => {
  const status = await check(clip, decode);
  expect(status).toMatchObject({ state: 'done', damagedFrames: 0, damage: [], problem: null });
  expect(status.framesDecoded).toBe(decode ? 30 : 0);
  expect(status.facts).toMatchObject({
    fourCC: 'Hap1',
    variant: 'Hap',
    width: 640,
    height: 360,
    rateNumerator: 30,
    rateDenominator: 1,
    constantRate: true,
    frames: 30,
    durationSeconds: 1,
    fileBytes: 224842,
    chunksMin: 4,
    chunksMax: 4,
    compressor: 'snappy',
    problems: [],
  });
  expect(status.facts?.bitrateMbps).toBeCloseTo(1.79, 2);
  expect(status.facts?.largestFrameBytes).toBeGreaterThan(7000);
});

test.each([
  ['none', 1],
  ['snappy', 1],
  ['chunks-mixed', 5],
])('a check names how the chunks of a movie are compressed (%s)', async (name, chunks) => {
  const { facts } = await check(join(process.cwd(), `test-content/clips/hap1-${name}.mov`), true);
  const compressor = name === 'chunks-mixed' ? 'mixed' : name;
  expect(facts).toMatchObject({ compressor, chunksMin: chunks, chunksMax: chunks });
});

test('a check names each damaged frame, and the byte', async () => {
  const path = join(folder, 'damaged.mov');
  const bytes = readFileSync(clip);
  const from = 20_000;
  writeFileSync(path, bytes.fill(0xff, from, from + 4000));
  const { state, framesDecoded, damagedFrames, damage } = await check(path, true);
  expect({ state, framesDecoded, damagedFrames }).toEqual({
    state: 'done',
    framesDecoded: 30,
    damagedFrames: 2,
  });
  expect(damage.map(({ frame }) => frame)).toEqual([2, 3]);
  for (const { frame, byte, message } of damage) {
    expect(byte).toBeGreaterThanOrEqual(from);
    expect(byte).toBeLessThan(from + 4000);
    expect(message).toMatch(new RegExp(`damaged\\.mov, frame ${frame} .*, at byte ${byte}: `));
  }
});

test.each([
  ['no movie', '/nowhere/movie.mov', 'FILE_UNREADABLE', /\/nowhere\/movie\.mov/],
  ['a text', join(process.cwd(), 'package.json'), /^MOVIE_/, /package\.json/],
])('a check of %s fails with code and reason', async (_, path, code, message) => {
  const status = await check(path, true);
  expect(status).toMatchObject({ state: 'failed', facts: null });
  expect(status.problem?.code).toMatch(code);
  expect(status.problem?.message).toMatch(message);
});
