import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playBattery } from '../testing/battery-run';
import { movieBattery } from '../testing/movie-battery';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();

function folderOf(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

/** So many, spread over the whole battery. */
function spread(count: number, from: number) {
  return Array.from({ length: count }, (_, index) => {
    const place = Math.floor(((index * 20 + from) * movieBattery.length) / 120);
    return movieBattery.slice(place, place + 1);
  }).flat();
}

test('six movies of the battery arrive', async () => {
  const row = await playBattery(spread(6, 0), folderOf('six'));
  expect(row?.perStream).toHaveLength(6);
});

test.for([1, 6, 11, 16])('five more arrive whole: %s', { tags: 'machine' }, async (from) => {
  const row = await playBattery(spread(5, from), folderOf(`from ${from}`));
  expect(row).toMatchObject({ framesDropped: 0, framesLateSource: 0 });
});
