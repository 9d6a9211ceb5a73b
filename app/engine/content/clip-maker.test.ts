import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ContentWriterStatus, MovieFacts } from '../../protocol/records';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { NativeHost } from '../capabilities/native-host';
import { machineClock } from '../clock';
import { ClipMaker } from './clip-maker';

const parent = temporaryFolder();
const madePath = 'flares-640x360-30-10s-hap_q-8.mov';
let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(parent, String(++count));
  vi.stubEnv('WHITELINE_CONTENT', folder);
});
afterEach(() => vi.unstubAllEnvs());

const facts = {
  ...{ fourCC: 'HapY', width: 640, height: 360, rateNumerator: 30, rateDenominator: 1, frames: 300 },
} as MovieFacts;

/** Paints until it is asked to end, or ends at once. */
function hostThat(paints: 'at once' | 'until it is stopped'): NativeHost {
  return {
    request: async (command, onProgress, signal) => {
      if (command.name === 'checkMovie')
        return { state: 'done', facts, framesDecoded: 300, damagedFrames: 0, damage: [] };
      if (command.name !== 'writeContent') throw new Error(`unexpected ${command.name}`);
      const path = (command.options.command.arguments.at(-1) as string).replace(/^file:/, '');
      writeFileSync(path, 'a movie');
      onProgress?.({ framesDone: 30, frames: 300 });
      const status = { framesWritten: 30, message: '' } as ContentWriterStatus;
      if (paints === 'at once') return { ...status, state: 'done' };
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return { ...status, state: 'running' };
    },
  } as NativeHost;
}

test('a clip is made in the usual way, and its progress is reported until it is there', async () => {
  const reported: (number | null)[] = [];
  const maker = new ClipMaker(
    machineClock,
    () => hostThat('at once'),
    () => reported.push(maker.progress?.framesDone ?? null),
  );
  await maker.make('flares', '640x360@30');
  expect(readdirSync(folder)).toEqual([madePath]);
  expect(reported).toContain(30);
  expect(reported.at(-1)).toBeNull();
});

test('nothing is measured meanwhile; a clip that is stopped leaves nothing behind and is no error', async () => {
  const maker = new ClipMaker(
    machineClock,
    () => hostThat('until it is stopped'),
    () => undefined,
  );
  const made = maker.make('flares', '640x360@30');
  await vi.waitFor(() => expect(maker.progress?.framesDone).toBe(30));
  expect(() => maker.refuse()).toThrow('flares is being made');
  await expect(maker.make('noise', '640x360@30')).rejects.toMatchObject({ code: 'BAD_INPUT' });
  maker.abort();
  await made;
  expect(maker.progress).toBeNull();
  expect(() => maker.refuse()).not.toThrow();
  expect(existsSync(join(folder, madePath))).toBe(false);
});

test('a clip or a format that there is none of is refused', async () => {
  const maker = new ClipMaker(
    machineClock,
    () => hostThat('at once'),
    () => undefined,
  );
  await expect(maker.make('holiday', '640x360@30')).rejects.toMatchObject({ field: 'clip' });
  await expect(maker.make('flares', 'large')).rejects.toMatchObject({ field: 'format' });
  expect(maker.progress).toBeNull();
});
