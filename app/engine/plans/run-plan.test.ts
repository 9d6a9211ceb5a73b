import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../facts/verdict';
import { exitCodes, WhitelineError } from '../../protocol/errors';
import { sessionSchema } from '../../protocol/session';
import { Random, seeds } from '../../testing/random';
import { recorderIn } from '../../testing/recorder';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import type { RunOutcome } from '../runs/runner';
import { readSession, sessionFiles } from '../sessions/read-session';
import { preparePlan } from './planned-runs';
import { parsePlan } from './read-plan';
import { runPlan } from './run-plan';

const root = temporaryFolder();
const checks = {
  host: { request: async () => null },
  transport: { name: 'NDI runtime', check: async () => null },
};
let sessions = 0;

const ended = (verdict: Verdict): RunOutcome => ({
  ...{ state: 'finished', verdict, reason: `it was ${verdict}`, problem: null },
});
const failed = (code: 'TOOL_FAILED' | 'DISK_FULL' | 'NO_VIDEO'): RunOutcome => ({
  ...{ state: 'failed', verdict: null, reason: `${code} it was`, problem: { code, message: code } },
});

/** Runs a plan whose runs end so, one after the other; an outcome that is a function is called. */
async function planOf(...outcomes: (RunOutcome | (() => RunOutcome))[]) {
  const text = `name: p\nexperiments:\n  - experiment: stream-load\n    repeat: ${outcomes.length}\n`;
  const prepared = await preparePlan(parsePlan(text, 'plan.yaml'), checks);
  const folder = join(root, `session-${++sessions}`);
  const abort = new AbortController();
  const folders: string[] = [];
  const states: string[] = [];
  const result = await runPlan({
    ...{ prepared, folder, clock: machineClock, signal: abort.signal },
    async carryOut(_, runFolder) {
      const outcome = outcomes[folders.push(runFolder) - 1];
      if (outcome === undefined) throw new Error('more runs than outcomes');
      return typeof outcome === 'function' ? outcome() : outcome;
    },
    onChange: (session) => states.push(session.runs.map(({ state }) => state).join(' ')),
  });
  return { ...result, abort, folder, folders, states };
}

test('runs come one after the other, each in its own folder, and the session says the same as its file', async () => {
  const { session, folder, folders, states, exitCode } = await planOf(ended('PASS'), ended('WARN'));
  expect(folders).toEqual([join(folder, '01-stream-load-1'), join(folder, '02-stream-load-2')]);
  expect(states).toEqual([
    ...['running waiting', 'finished waiting', 'finished running', 'finished finished'],
    'finished finished',
  ]);
  expect(session).toMatchObject({ state: 'finished', verdict: 'WARN', thresholdProfile: 'study' });
  expect(session.reason).toBe('2 runs: 1 WARN (stream-load 2), 1 PASS');
  expect(exitCode).toBe(exitCodes.pass);
  const file = sessionSchema.parse(JSON.parse(readFileSync(join(folder, sessionFiles.session), 'utf8')));
  expect(file).toEqual(session);
  expect(readSession(folder)).toEqual(session);
  expect(readFileSync(join(folder, sessionFiles.plan), 'utf8')).toContain('repeat: 2');
});

describe('exit codes: what could not be carried out, then the worst verdict', () => {
  test.each<[RunOutcome[], keyof typeof exitCodes]>([
    [[ended('PASS'), ended('PASS')], 'pass'],
    [[ended('FAIL'), ended('PASS')], 'fail'],
    [[ended('INVALID'), ended('FAIL')], 'fail'],
    [[ended('FAIL'), ended('INVALID')], 'fail'],
    [[ended('WARN'), ended('INVALID')], 'invalid'],
    [[ended('INVALID'), failed('TOOL_FAILED'), ended('FAIL')], 'environment'],
    [[failed('NO_VIDEO'), ended('PASS')], 'environment'],
  ])('%#', async (outcomes, name) => {
    const { exitCode, session, folders } = await planOf(...outcomes);
    expect(exitCode).toBe(exitCodes[name]);
    // One that could not be carried out does not keep the others from theirs.
    expect(folders).toHaveLength(outcomes.length);
    expect(session.state).toBe('finished');
  });
});

test('an experiment that throws has failed, and the next one runs', async () => {
  const broken = () => {
    throw new WhitelineError({ code: 'NDI_MISSING', message: 'no NDI here' });
  };
  const { session, exitCode } = await planOf(broken, ended('PASS'));
  expect(session.runs.map(({ state, verdict, reason }) => [state, verdict, reason])).toEqual([
    ['failed', null, 'no NDI here'],
    ['finished', 'PASS', 'it was PASS'],
  ]);
  expect(session.reason).toBe('2 runs: 1 failed (stream-load 1), 1 PASS');
  expect(exitCode).toBe(exitCodes.environment);
});

test('after a full disk nothing more is started', async () => {
  const { session, folders, exitCode } = await planOf(failed('DISK_FULL'), ended('PASS'));
  expect(folders).toHaveLength(1);
  expect(session.runs[1]).toMatchObject({ state: 'waiting', verdict: null });
  expect(session.state).toBe('failed');
  expect(exitCode).toBe(exitCodes.environment);
});

test('stopped by the operator, it keeps what was measured and starts nothing more', async () => {
  const text = 'name: p\nexperiments:\n  - experiment: stream-load\n    repeat: 3\n';
  const prepared = await preparePlan(parsePlan(text, 'plan.yaml'), checks);
  const abort = new AbortController();
  const outcomes = [ended('FAIL')];
  const { session, exitCode } = await runPlan({
    ...{ prepared, folder: join(root, 'stopped'), clock: machineClock, signal: abort.signal },
    async carryOut() {
      const outcome = outcomes.shift();
      if (outcome) return outcome;
      abort.abort();
      const problem = { code: 'ABORTED' as const, message: 'stopped' };
      return { state: 'aborted', verdict: null, reason: 'stopped before its end', problem };
    },
  });
  expect(session.runs.map(({ state }) => state)).toEqual(['finished', 'aborted', 'waiting']);
  expect(session).toMatchObject({ state: 'aborted', verdict: 'FAIL' });
  expect(session.reason).toBe(
    '3 runs: 1 aborted (stream-load 2), 1 FAIL (stream-load 1), 1 not run (stream-load 3)',
  );
  expect(exitCode).toBe(exitCodes.aborted);
});

test('a session is never written over', async () => {
  const folder = join(root, 'taken');
  mkdirSync(folder);
  writeFileSync(join(folder, sessionFiles.lines), 'mine\n');
  const prepared = await preparePlan(
    parsePlan('name: p\nexperiments: [{experiment: stream-load}]', 'plan.yaml'),
    checks,
  );
  const carryOut = async () => ended('PASS');
  const run = runPlan({
    prepared,
    folder,
    clock: machineClock,
    signal: new AbortController().signal,
    carryOut,
  });
  await expect(run).rejects.toThrow(/Expected a folder without a session in it for out but received .+taken/);
  expect(existsSync(join(folder, sessionFiles.plan))).toBe(false);
});

test.each(seeds)('cut at any byte, a session is read as far as it goes (seed %i)', async (seed) => {
  const { folder } = await planOf(ended('PASS'), ended('INVALID'));
  const path = join(folder, sessionFiles.lines);
  const whole = readFileSync(path);
  const random = new Random(seed);
  const first = whole.indexOf('\n');
  for (let cut = 0; cut < 200; cut++) {
    const length = random.whole(0, whole.length - 1);
    writeFileSync(path, whole.subarray(0, length));
    if (length < first) {
      expect(() => readSession(folder), `seed ${seed}`).toThrow(/holds no session/);
      continue;
    }
    const lines = whole
      .subarray(0, length + 1)
      .toString()
      .split('\n')
      .slice(0, -1);
    const { state, runs } = readSession(folder);
    const endings = lines.filter((line) => line.includes('"run-ended"')).length;
    const isWhole = lines.some((line) => line.includes('"session-ended"'));
    expect(
      runs.filter((run) => run.state === 'finished'),
      `seed ${seed}, ${length} bytes`,
    ).toHaveLength(endings);
    expect(state).toBe(isWhole ? 'finished' : 'interrupted');
  }
});

test('a run that was killed with its plan is interrupted, not running', async () => {
  const { folder, folders } = await planOf(ended('PASS'));
  const path = join(folder, sessionFiles.lines);
  const lines = readFileSync(path, 'utf8').split('\n');
  const killedAt = lines.findIndex((line) => line.includes('"run-ended"'));
  writeFileSync(path, `${lines.slice(0, killedAt).join('\n')}\n`);
  const { recorder } = recorderIn(folders[0] ?? '');
  expect(readSession(folder)).toMatchObject({
    state: 'interrupted',
    runs: [{ state: 'interrupted', verdict: null }],
  });
  recorder.end('aborted', null, 'over');
});
