import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { badInput, WhitelineError } from '../../protocol/errors';
import { temporaryFolder } from '../../testing/temporary-folder';
import { Media } from './media';

const settings = { format: '1280x720@60', pixelFormat: 'uyvy' } as const;
const facts = {
  ...{ width: 640, height: 360, rateNumerator: 30, rateDenominator: 1, frames: 30, problems: [] },
  ...{ isTurned: false, pixelAspect: 1, chunksMin: 1 },
};
const folder = temporaryFolder();

/** Folders with one movie at their top and one below; a Hap reader that takes each for a good one. */
function media(inspected: string[] = [], checkFormat: () => void = () => undefined): Media {
  const movies = join(folder, 'movies');
  mkdirSync(join(movies, 'show'), { recursive: true });
  for (const name of ['clip.mov', 'show/opening.mov']) writeFileSync(join(movies, name), '\0');
  writeFileSync(join(folder, 'secret.mov'), '\0');
  return new Media(
    'render-1',
    [join(folder, 'gone'), movies],
    {
      request: async (command) => {
        if (command.name === 'checkMovie') inspected.push(command.path);
        return {
          state: 'done',
          facts,
          framesDecoded: 0,
          damagedFrames: 0,
          damage: [],
          problem: null,
        } as never;
      },
    },
    checkFormat,
  );
}

test.each(['clip.mov', 'show/opening.mov', 'show/../clip.mov'])('%s is found by its name', async (source) => {
  const inspected: string[] = [];
  const { options } = await media(inspected).choose({ ...settings, source });
  expect(inspected).toEqual([options.hap?.path]);
  expect(options).toMatchObject({ kind: 'hap', width: 640, height: 360, hap: { reads: 'cached' } });
});

test.each([
  ['a file beside the folders', '../secret.mov'],
  ['a file of the machine', '/etc/passwd'],
  ['a folder', 'show'],
  ['a link that leads out', 'link.mov'],
  ['what is not there', 'none.mov'],
  ['a name that ends', 'clip.mov\0.mp4'],
])('%s is not opened, and what is there is named', async (_, source) => {
  const chosen = media();
  const link = join(folder, 'movies', 'link.mov');
  if (source === 'link.mov') symlinkSync('/etc/passwd', link);
  await expect(chosen.choose({ ...settings, source })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('render-1 has no movie'),
    remedy: expect.stringContaining('clip.mov'),
  });
});

test('only movies are offered in the place of one that is not there', async () => {
  const remedyOf = (of: Media) =>
    of.choose({ ...settings, source: 'none.mov' }).catch(({ remedy }) => remedy);
  const chosen = media();
  for (const name of ['README.md', 'manifest.yaml', '._clip.mov', 'bars.MOV'])
    writeFileSync(join(folder, 'movies', name), '\0');
  expect(await remedyOf(chosen)).toMatch(/, such as: (bars\.MOV, clip\.mov|clip\.mov, bars\.MOV)$/);
  const texts = join(folder, 'texts');
  mkdirSync(texts);
  writeFileSync(join(texts, 'README.md'), '');
  const none = new Media('render-1', [texts], { request: async () => null }, () => undefined);
  expect(await remedyOf(none)).toMatch(/^No movie is at the top of its media folders/);
});

test('what to do about a movie says on which machine, in the choice and in what is told later', async () => {
  const path = join(folder, 'movies', 'clip.mov');
  const problem = {
    ...{ code: 'MOVIE_UNREADABLE' as const, message: `${path} ends early`, value: path },
    remedy: `Check it with whiteline content inspect ${path}`,
  };
  const told = {
    ...{ code: 'MOVIE_UNREADABLE', message: 'clip.mov ends early', value: 'clip.mov' },
    remedy: 'Check it with whiteline content inspect clip.mov (on render-1, in its media folder)',
  };
  const chosen = await media().choose({ ...settings, source: 'clip.mov' });
  expect(chosen.told(problem)).toEqual(told);
  expect(chosen.told({ code: 'ABORTED', message: 'stopped', remedy: 'Try again' })).toEqual({
    ...{ code: 'ABORTED', message: 'stopped', remedy: 'Try again' },
  });
  const refusing = media([], () => {
    throw new WhitelineError(problem);
  });
  await expect(refusing.choose({ ...settings, source: 'clip.mov' })).rejects.toMatchObject(told);
});

test('a playlist, which may name files outside of the folder, is refused', async () => {
  const chosen = media();
  writeFileSync(join(folder, 'movies', 'list.mov'), '#EXTM3U\n#EXTINF:1,\nfile:///secret.mov\n');
  await expect(chosen.choose({ ...settings, source: 'list.mov' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
    remedy: expect.stringContaining('playlist'),
  });
});

test('without a folder the remedy is to name one', async () => {
  const none = new Media('render-1', [], { request: async () => null }, () => undefined);
  await expect(none.choose({ ...settings, source: 'clip.mov' })).rejects.toMatchObject({
    remedy: expect.stringContaining('--media'),
  });
});

test('the console is told what a movie is and which bytes it has, and not where it is', async () => {
  const { picture, facts: told } = await media().describe({ ...settings, source: 'clip.mov' });
  expect(picture).toMatchObject({ kind: 'hap', width: 640, height: 360 });
  expect(told).toMatchObject({ path: 'clip.mov', bytes: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.stringify(told)).not.toContain(folder);
});

test('a movie that cannot be played is named as the console calls it', async () => {
  const path = join(folder, 'movies', 'clip.mov');
  const broken = new Media(
    'render-1',
    [join(folder, 'movies')],
    {
      request: async () => {
        throw new WhitelineError({ code: 'MOVIE_UNREADABLE', message: `${path} ends early`, value: path });
      },
    },
    () => undefined,
  );
  await expect(broken.choose({ ...settings, source: 'clip.mov' })).rejects.toMatchObject({
    message: expect.not.stringContaining(folder),
  });
});

test('a picture beyond the limits of the agent is refused', async () => {
  const limited = media([], () => {
    throw badInput('format', 'a format up to 320x180@30 of this agent', '640x360@30');
  });
  await expect(limited.choose({ ...settings, source: 'clip.mov' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  });
});

test('before a movie is sent, the console has its picture and how it is played, and nothing else', async () => {
  const look = await media().look({ ...settings, source: 'clip.mov' });
  expect(Object.keys(look)).toEqual(['picture', 'remarks', 'movie']);
  expect(look.picture).toMatchObject({ kind: 'hap', width: 640, height: 360, rateNumerator: 30 });
});
