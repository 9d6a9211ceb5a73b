import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { playBattery } from '../testing/battery-run';
import { movieBattery } from '../testing/movie-battery';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const together = 6;
const parts = Array.from({ length: Math.ceil(movieBattery.length / together) }, (_, part) => part * together);

test.for(parts)('movies of the battery from %i on arrive over NDI', async (from) => {
  const movies = movieBattery.slice(from, from + together);
  mkdirSync(join(folder, `${from}`));
  const row = await playBattery(movies, join(folder, `${from}`));
  expect(row?.perStream).toHaveLength(movies.length);
});
