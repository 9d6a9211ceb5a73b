import { join } from 'node:path';
import { expect } from 'vitest';
import { readEvents } from '../engine/sessions/read-run';
import { makeBatteryMovie } from './battery-maker';
import { uniqueName, WhitelineCommand } from './command';
import { type BatteryMovie, batteryName } from './movie-battery';
import { type Row, readStreamRun } from './named-rows';

/**
 * Plays these movies over real NDI, one stream each, and looks that each arrives.
 * @param folder an empty one
 * @returns the row with all of them
 */
export async function playBattery(movies: readonly BatteryMovie[], folder: string): Promise<Row | undefined> {
  const files = movies.map((movie) => {
    const file = join(folder, `${batteryName(movie)}.${movie.container}`);
    makeBatteryMovie(movie, file);
    return file;
  });
  const count = String(files.length);
  const out = join(folder, 'run');
  const command = new WhitelineCommand([
    ...['run', 'stream-load', '--mix', ...files, '--start', count, '--max-streams', count],
    ...['--name', uniqueName(), '--hold', '3s', '--warm-up', '500ms', '--invalid-retries', '0'],
    ...['--stop-on', 'loss', '--stop-after', '60s', '--out', out],
  ]);
  const { output } = await command.ended;
  const { rows, environment } = readStreamRun(out);
  expect(
    rows.map(({ streams }) => streams),
    output,
  ).toEqual([0, files.length]);
  expect(environment.sources).toHaveLength(files.length);
  expect(readEvents(out).filter(({ kind }) => kind === 'source-failed')).toEqual([]);
  for (const stream of rows[1]?.perStream ?? []) {
    expect(stream.framesReceived).toBeGreaterThan(0);
    expect(stream.framesScheduled).toBe((stream.framesSubmitted ?? 0) + (stream.framesSenderMissed ?? 0));
    expect(stream.framesSubmitted).toBe((stream.framesReceived ?? 0) + (stream.framesDropped ?? 0));
  }
  await command.leavesNothingBehind();
  return rows[1];
}
