import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorderIn } from '../../testing/recorder';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { readSession } from '../sessions/read-session';
import { ConsoleSession } from './console-session';

const root = temporaryFolder();

test('the runs of one console session lie in one folder, which is made with the first of them', async () => {
  const folder = join(root, '2026-11-24T08-00-00-000Z-console');
  const clock = new SimulatedClock();
  clock.stepWall(Date.UTC(2026, 10, 24, 8) - clock.wallMs());
  const consoleSession = new ConsoleSession(root, clock);
  consoleSession.derive();
  expect(() => readSession(folder)).toThrow();
  for (const [order, name] of [
    [1, 'live'],
    [2, 'quiet'],
  ] as const) {
    expect(consoleSession.join()).toMatchObject({ name: 'Console, 2026-11-24 08:00 UTC', order });
    const { recorder } = recorderIn(consoleSession.folderOf(name));
    await recorder.end('finished', 'PASS', 'all is well');
    consoleSession.derive();
  }
  await clock.pass(3600_000);
  consoleSession.begin('Hall 3');
  const hall = join(root, '2026-11-24T09-00-00-000Z-hall-3');
  expect(consoleSession.folderOf('live')).toBe(join(hall, '2026-11-24T09-00-00-000Z-live'));
  expect(consoleSession.join()).toMatchObject({ name: 'Hall 3', order: 1 });
  const { name, runs } = readSession(folder);
  expect(name).toBe('Console, 2026-11-24 08:00 UTC');
  expect(runs.map(({ folder: run, state }) => [run.slice(25), state])).toEqual([
    ['live', 'finished'],
    ['quiet', 'finished'],
  ]);
});
