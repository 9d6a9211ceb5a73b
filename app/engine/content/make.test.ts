import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { HostCommand, HostReplyValue } from '../../protocol/host';
import type { MovieCheckStatus, MovieFacts } from '../../protocol/records';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import { freeBytes, parseDf } from './free-space';
import { type ContentProgress, type ContentRequest, type ContentResult, makeContent } from './make';
import { readManifest } from './manifest';

const manifest = readManifest(resolve('.'));
const parent = temporaryFolder();
let folder = '';
let count = 0;
beforeEach(() => {
  folder = join(parent, String(++count));
});

const facts: MovieFacts = {
  fourCC: 'HapY',
  variant: 'Hap Q',
  width: 640,
  height: 360,
  isTurned: false,
  pixelAspect: 1,
  rateNumerator: 30,
  rateDenominator: 1,
  constantRate: true,
  frames: 60,
  durationSeconds: 2,
  fileBytes: 1000,
  bitrateMbps: 4,
  largestFrameBytes: 20,
  chunksMin: 8,
  chunksMax: 8,
  compressor: 'snappy',
  problems: [],
};

/** Writes what it is asked to make, and finds what a test sets. */
class FakeNativeHost {
  readonly painted: string[] = [];
  written: { state: 'running' | 'done' | 'failed'; message: string } = { state: 'done', message: '' };
  checked: Partial<MovieCheckStatus> = {};

  async request(
    command: HostCommand,
    onProgress?: (progress: { framesDone: number; frames: number }) => void,
  ): Promise<HostReplyValue> {
    if (command.name === 'writeContent') {
      const path = (command.options.command.arguments.at(-1) as string).replace(/^file:/, '');
      this.painted.push(command.options.generator);
      writeFileSync(path, 'a movie');
      onProgress?.({ framesDone: 30, frames: 60 });
      return { ...this.written, framesWritten: 60 };
    }
    if (command.name !== 'checkMovie') throw new Error(`unexpected ${command.name}`);
    if (command.decode) onProgress?.({ framesDone: 10, frames: 60 });
    const status = {
      state: 'done' as const,
      facts,
      framesDecoded: 60,
      damagedFrames: 0,
      damage: [],
      problem: null,
    };
    return { ...status, ...this.checked };
  }
}

function make(host: FakeNativeHost, changes: Partial<ContentRequest> = {}) {
  const results: ContentResult[] = [];
  const progress: ContentProgress[] = [];
  const request: ContentRequest = {
    manifest,
    clips: manifest.clips.filter(({ name }) => name === 'flares' || name === 'black'),
    folder,
    force: false,
    format: { width: 640, height: 360, rate: { numerator: 30, denominator: 1 } },
    seconds: 2,
    variant: 'hap_q',
    chunks: 8,
    ...changes,
  };
  const listener = {
    onResult: (result: ContentResult) => results.push(result),
    onProgress: (step: ContentProgress) => progress.push(step),
  };
  const done = makeContent(host, request, listener, {
    clock: machineClock,
    signal: new AbortController().signal,
  });
  return { done, results, progress };
}

test('clips are made, checked and named one after the other', async () => {
  const host = new FakeNativeHost();
  const { done, results, progress } = make(host);
  await done;
  expect(host.painted).toEqual(['flares', 'black']);
  expect(results.map(({ clip, kept }) => [clip, kept])).toEqual([
    ['flares', false],
    ['black', false],
  ]);
  expect(readdirSync(folder)).toEqual([
    'black-640x360-30-2s-hap_q-8.mov',
    'flares-640x360-30-2s-hap_q-8.mov',
  ]);
  expect(progress.map(({ clip, number, stage, framesDone }) => [clip, number, stage, framesDone])).toEqual([
    ['flares', 1, 'made', 30],
    ['flares', 1, 'checked', 10],
    ['black', 2, 'made', 30],
    ['black', 2, 'checked', 10],
  ]);
});

test('a clip that is there and complete is kept, unless it is to be made by force', async () => {
  const host = new FakeNativeHost();
  await make(host).done;
  const again = make(host);
  await again.done;
  expect(again.results.map(({ kept }) => kept)).toEqual([true, true]);
  expect(host.painted).toHaveLength(2);
  await make(host, { force: true }).done;
  expect(host.painted).toHaveLength(4);
});

test('a clip that is there and is not what was asked for is made again by force alone', async () => {
  const host = new FakeNativeHost();
  mkdirSync(folder);
  for (const wrong of [{ frames: 59 }, { width: 636 }, { rateNumerator: 25 }, { fourCC: 'Hap1' }]) {
    writeFileSync(join(folder, 'black-640x360-30-2s-hap_q-8.mov'), 'another');
    host.checked = { facts: { ...facts, ...wrong } };
    const clips = manifest.clips.filter(({ name }) => name === 'black');
    const kept = make(host, { clips }).done;
    await expect(kept, JSON.stringify(wrong)).rejects.toThrow(/hap_q-8\.mov exists already/);
    const { done } = make(host, { clips, force: true });
    await expect(done, JSON.stringify(wrong)).rejects.toThrow(/did not come out right/);
    expect(readdirSync(folder)).toEqual(['black-640x360-30-2s-hap_q-8.mov']);
  }
  expect(host.painted).toHaveLength(4);
});

test.each<[string, (host: FakeNativeHost) => void, object]>([
  [
    'ffmpeg that fails',
    (host) => {
      host.written = { state: 'failed', message: 'The command ended with exit code 1: wrong codec' };
    },
    { code: 'OUTPUT_UNWRITABLE', message: expect.stringMatching(/flares could not be made: .+wrong codec/) },
  ],
  [
    'a full disk',
    (host) => {
      host.written = { state: 'failed', message: 'av_interleaved_write_frame(): No space left on device' };
    },
    { code: 'DISK_FULL' },
  ],
  [
    'Ctrl-C while it paints',
    (host) => {
      host.written = { state: 'running', message: '' };
    },
    { code: 'ABORTED' },
  ],
  [
    'Ctrl-C while it checks',
    (host) => {
      host.checked = { state: 'running' };
    },
    { code: 'ABORTED' },
  ],
  [
    'a damaged frame',
    (host) => {
      host.checked = { damagedFrames: 1, damage: [{ frame: 5, byte: 99, message: 'frame 5 is damaged' }] };
    },
    { code: 'MOVIE_UNREADABLE', message: expect.stringMatching(/frame 5 is damaged/) },
  ],
])('%s leaves nothing behind', async (_, prepare, problem) => {
  const host = new FakeNativeHost();
  prepare(host);
  const { done, results } = make(host);
  await expect(done).rejects.toMatchObject(problem);
  expect(results).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('clips that the disk has no room for are not begun', async () => {
  const host = new FakeNativeHost();
  const format = { width: 16384, height: 16384, rate: { numerator: 1000, denominator: 1 } };
  const { done } = make(host, { format, seconds: 3600, clips: manifest.clips });
  await expect(done).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringMatching(
      /^10 clips of 3600 s at 16384x16384@1000 take about \d+\.\d GB, but .+ has \d+\.\d GB free$/,
    ),
  });
  expect(host.painted).toEqual([]);
});

test('a folder that cannot be made is reported', async () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'file'), '');
  await expect(
    make(new FakeNativeHost(), { folder: join(folder, 'file', 'clips') }).done,
  ).rejects.toMatchObject({
    code: 'OUTPUT_UNWRITABLE',
  });
  expect(existsSync(join(folder, 'file', 'clips'))).toBe(false);
});

test('the free space of a folder is what df says', async () => {
  expect(await freeBytes(parent)).toBeGreaterThan(0);
  expect(await freeBytes(join(parent, 'absent'))).toBeNull();
  const head = 'Filesystem 1024-blocks Used Available Capacity Mounted on\n';
  expect(parseDf(`${head}/dev/vda 264212084 14826072 80675192 16% /`)).toBe(80675192 * 1024);
  expect(parseDf(`${head}//server/a share 100 90 10 90% /mnt/a share`)).toBe(10 * 1024);
  expect(parseDf(head)).toBeNull();
});
