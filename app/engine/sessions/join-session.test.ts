import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sessionSchema } from '../../protocol/session';
import { recordRun } from '../../testing/recorded-run';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { GroupReader, sessionGroup } from '../reports/run-group';
import { checkJoin, deriveSession, joinSession } from './join-session';
import { readRun, runFiles } from './read-run';
import { isSession, readSession, sessionFiles } from './read-session';

const root = temporaryFolder();
const at = (hour: number): string => `2026-11-20T${hour}:00:00.000Z`;

/** A session of two runs that were recorded at these hours. */
function sessionOf(name: string, ...hours: number[]): string {
  const folder = join(root, name);
  for (const hour of hours) {
    const session = joinSession(folder, { now: new Date(at(hour)) });
    expect(session.order).toBe(hours.indexOf(hour) + 1);
    recordRun(join(folder, `${hour}-run`), { startedAt: at(hour), endedAt: at(hour + 1) });
  }
  return folder;
}

test('runs that join one folder are one session, by time, and its file says the same', () => {
  const folder = sessionOf('hall-3', 12, 10);
  const session = readSession(folder);
  expect(session).toMatchObject({
    ...{ name: 'hall-3', id: '2026-11-20T12-00-00-000Z', state: 'finished', endedAt: at(13) },
    ...{ verdict: 'PASS', reason: '2 runs: 2 PASS' },
  });
  expect(session.runs.map((run) => run.folder)).toEqual(['10-run', '12-run']);
  deriveSession(folder);
  const file = JSON.parse(readFileSync(join(folder, sessionFiles.session), 'utf8'));
  expect(sessionSchema.parse(file)).toEqual(session);
});

test('a run says which session it is of, whatever becomes of its files', () => {
  const folder = join(root, 'reported');
  const session = joinSession(folder, { now: new Date() });
  const { recorder } = recorderIn(join(folder, 'run'), {
    start: {
      ...{ experiment: 'stream-load', title: 'Stream load', parameters: {}, command: '', thresholds: {} },
      ...{ environment: {}, session },
    },
  });
  expect(readRun(join(folder, 'run')).session).toEqual({ ...session, name: 'reported', order: 1 });
  recorder.end('finished', 'PASS', 'all well');
});

test('two runs that begin a session at once are of the same one', () => {
  const folder = join(root, 'at-once');
  joinSession(folder, { now: new Date(at(10)) });
  const other = readFileSync(join(folder, sessionFiles.lines), 'utf8').replace(at(10), at(11));
  writeFileSync(join(folder, sessionFiles.lines), other, { flag: 'a' });
  expect(joinSession(folder, { now: new Date(at(12)) }).id).toBe('2026-11-20T10-00-00-000Z');
});

test.each([0, 20])('cut after %i bytes, a session still has all of its runs, and goes on', (bytes) => {
  const folder = sessionOf(`cut-${bytes}`, 10, 12);
  const lines = join(folder, sessionFiles.lines);
  writeFileSync(lines, readFileSync(lines).subarray(0, bytes));
  expect(readSession(folder)).toMatchObject({
    startedAt: at(10),
    runs: [{ folder: '10-run' }, { folder: '12-run' }],
  });
  joinSession(folder, { now: new Date(at(14)) });
  expect(readSession(folder)).toMatchObject({ startedAt: at(14), runs: [{}, {}] });
});

test('a run that goes on, and one whose process is gone, are in it as what they are', () => {
  const folder = sessionOf('going', 10);
  const { recorder } = recorderIn(join(folder, 'open'));
  const sampled = (ago: number): void =>
    utimesSync(join(folder, 'open', 'samples.jsonl'), new Date(), new Date(Date.now() - ago));
  sampled(3_600_000);
  // What it would have come to is not known.
  expect(readSession(folder)).toMatchObject({
    ...{ state: 'finished', verdict: 'INVALID', reason: '2 runs: 1 interrupted (Stream load), 1 PASS' },
    runs: [{ verdict: 'PASS' }, { state: 'interrupted', verdict: null }],
  });
  // Until some time that this test does not last.
  sampled(-3_600_000);
  expect(readSession(folder)).toMatchObject({
    state: 'running',
    endedAt: null,
    runs: [{}, { state: 'running' }],
  });
  recorder.end('aborted', null, 'stopped');
  // The operator chose to stop it.
  expect(readSession(folder)).toMatchObject({
    ...{ verdict: 'PASS', reason: '2 runs: 1 aborted (Stream load), 1 PASS' },
  });
});

test.each(['removed', 'replaced'])('a run whose records were %s is in it still, and no PASS', (fate) => {
  const folder = sessionOf(fate, 10, 12);
  for (const file of [runFiles.events, runFiles.rows]) {
    rmSync(join(folder, '12-run', file));
    if (fate === 'replaced') mkdirSync(join(folder, '12-run', file));
  }
  writeFileSync(join(folder, '12-run', runFiles.run), '{"verdict":"FAIL"}');
  const hourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(folder, '12-run', runFiles.samples), hourAgo, hourAgo);
  expect(readSession(folder)).toMatchObject({
    ...{ verdict: 'INVALID', reason: '2 runs: 1 interrupted (A run whose beginning is lost), 1 PASS' },
    runs: [{ folder: '12-run', state: 'interrupted', verdict: null }, { verdict: 'PASS' }],
  });
  const reader = new GroupReader(sessionGroup(folder));
  expect([...reader.runs()]).toHaveLength(2);
  expect(reader.session().verdict).toBe('INVALID');
});

test('a run that was moved into the folder is of it, one that was moved away is not', () => {
  const folder = sessionOf('moved', 10, 12);
  renameSync(join(folder, '10-run'), join(root, 'elsewhere'));
  recordRun(join(folder, 'late'), { startedAt: at(14) });
  symlinkSync(join(root, 'elsewhere'), join(folder, 'link'));
  mkdirSync(join(folder, 'notes'));
  expect(readSession(folder).runs.map((run) => run.folder)).toEqual(['12-run', 'late']);
});

test('a folder of something else is refused, and nothing is written there', () => {
  const run = recordRun(join(root, 'a-run'));
  recordRun(join(root, 'all-runs', 'one'));
  const refused = [
    [run, /which holds a run/],
    [join(root, 'all-runs'), /which holds runs of other sessions/],
    [resolve('test-content/runs/session'), /the session of a plan/],
  ] as const;
  for (const [path, why] of refused) {
    expect(() => checkJoin(path)).toThrow(/^Expected a folder of its own.+ for session but received/);
    expect(() => joinSession(path, { now: new Date() })).toThrow(why);
  }
  expect(isSession(run) || isSession(join(root, 'all-runs'))).toBe(false);
  writeFileSync(join(root, 'file'), '');
  expect(() => joinSession(join(root, 'file'), { now: new Date() })).toThrow(/cannot be written/);
  rmSync(join(root, 'file'));
  const link = join(root, 'linked');
  mkdirSync(link);
  symlinkSync(join(root, 'target'), join(link, sessionFiles.lines));
  expect(() => joinSession(link, { now: new Date() })).toThrow(/it is a link/);
  expect(existsSync(join(root, 'target'))).toBe(false);
});
