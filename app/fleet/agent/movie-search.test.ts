import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { longestMovieList, mostMovies, movieListSchema } from '../../protocol/fleet/movie-list';
import { range } from '../../testing/columns';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { MovieSearches } from './movie-search';

const folder = temporaryFolder();
let made = 0;

/** A folder with these files, each of which begins as a movie does. */
function folderWith(names: readonly string[]): string {
  const path = join(folder, String(made++));
  for (const name of ['.keep', ...names]) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), '\0');
  }
  return path;
}

function searches(...folders: string[]): MovieSearches {
  return new MovieSearches(folders, new SimulatedClock());
}

test('movies below all folders are named as the agent finds them, in the order of their names', async () => {
  const one = folderWith(['clip 10.mov', 'clip 2.MOV', 'show/day 1/opening.mp4', 'notes.txt', 'no-ending']);
  const other = folderWith(['clip 2.MOV', 'end.mkv', '.hidden.mov', '.trash/old.mov']);
  const found = await searches(one, other).list();
  expect(found).toEqual({
    names: ['clip 2.MOV', 'clip 10.mov', 'end.mkv', 'show/day 1/opening.mp4'],
    ...{ hasFolders: true, more: 0, isWhole: true },
  });
  expect(movieListSchema.parse(found)).toEqual(found);
});

test('no link and no playlist is offered, and no name that acts or that a path could be', async () => {
  const outside = folderWith(['secret.mov']);
  const own = folderWith([
    'a.mov',
    'with\u001b[2J.mov',
    ' space.mov',
    'back\\slash.mov',
    'right\u202eto.mov',
  ]);
  symlinkSync(outside, join(own, 'folder'));
  symlinkSync(join(outside, 'secret.mov'), join(own, 'file.mov'));
  symlinkSync(own, join(own, 'round'));
  writeFileSync(join(own, 'list.mov'), '#EXTM3U\nfile:///etc/passwd\n');
  writeFileSync(join(own, 'program.ts'), 'export const one = 1;\n');
  expect((await searches(own).list()).names).toEqual(['a.mov']);
});

test('a folder that is itself given as a link is read', async () => {
  const own = folderWith(['a.mov']);
  const link = join(folder, 'link');
  symlinkSync(own, link);
  expect((await searches(link).list()).names).toEqual(['a.mov']);
});

test('what lies too deep is not named, and it is said that there may be more', async () => {
  const own = folderWith(['1/2/3/4/a.mov', '1/2/3/4/5/b.mov']);
  expect(await searches(own).list()).toMatchObject({ names: ['1/2/3/4/a.mov'], isWhole: false });
});

test('more movies than a list has are counted', async () => {
  const own = folderWith(range(1, mostMovies + 3).map((number) => `${number}.mov`));
  const found = await searches(own).list();
  expect(found.names).toHaveLength(mostMovies);
  expect(found.more).toBe(3);
  expect(movieListSchema.safeParse(found).success).toBe(true);
});

test('long names end the list before their number does', async () => {
  const part = 'x'.repeat(190);
  const own = folderWith(range(1, 300).map((number) => `${part}/${part}/${number}.mov`));
  const found = await searches(own).list();
  expect(found.names.join('').length).toBeLessThanOrEqual(longestMovieList);
  expect(found.names.length + found.more).toBe(300);
  expect(movieListSchema.safeParse(found).success).toBe(true);
});

test('without a folder there is none, and one that is gone is said', async () => {
  expect(await searches().list()).toEqual({ names: [], hasFolders: false, more: 0, isWhole: true });
  const own = folderWith(['a.mov']);
  const found = await searches(join(folder, 'gone'), own).list();
  expect(found).toMatchObject({ names: ['a.mov'], hasFolders: true, isWhole: false });
});

test('a disk that is slow ends the search', async () => {
  const clock = new SimulatedClock();
  let nowNs = 0;
  const slow = {
    sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms, signal),
    monotonicNs: () => (nowNs += 0.1e9),
  };
  const own = folderWith(range(1, 100).map((number) => `${number}.mov`));
  const { names, isWhole } = await new MovieSearches([own], slow).list();
  expect(names.length).toBeLessThan(100);
  expect(isWhole).toBe(false);
});

test('who asks at once has one search, and a later question has a new one', async () => {
  const clock = new SimulatedClock();
  const own = folderWith(['a.mov']);
  const all = new MovieSearches([own], clock);
  const [one, other] = await Promise.all([all.list(), all.list()]);
  expect(one).toEqual(other);
  writeFileSync(join(own, 'b.mov'), '\0');
  expect((await all.list()).names).toEqual(['a.mov']);
  await clock.pass(1000);
  expect((await all.list()).names).toEqual(['a.mov', 'b.mov']);
  expect(clock.waiting).toBe(0);
});
