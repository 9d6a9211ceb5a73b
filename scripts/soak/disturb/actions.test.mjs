import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { hog, kill, realTimeProblem, stop } from './actions.mjs';
import { stateOf } from './processes.mjs';

const children = [];

async function sleeper() {
  const child = spawn('sleep', ['600']);
  children.push(child);
  await once(child, 'spawn');
  return { pid: child.pid, role: 'sleeper', child };
}

async function ended() {
  const target = await sleeper();
  target.child.kill('SIGKILL');
  await once(target.child, 'exit');
  return target;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

test('a stop is recorded as it was seen, and the process goes on', async () => {
  const target = await sleeper();
  const action = await stop(target, 0.05);
  expect(action).not.toHaveProperty('failed');
  expect(action.perhapsFrom).toBeLessThanOrEqual(action.from);
  expect(action.from).toBeLessThan(action.to);
  expect(action.to).toBeLessThanOrEqual(action.perhapsTo);
  expect(stateOf(target.pid)).not.toBe('T');
});

test('a process that had ended by itself is said to have', async () => {
  const target = await ended();
  expect(await stop(target, 0.05)).toMatchObject({ from: null, failed: 'it had ended by itself' });
  expect(kill(target)).toMatchObject({ failed: 'it had ended by itself' });
});

test('a process that may not be signalled is said so', async () => {
  const target = await sleeper();
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  expect(await stop(target, 0.05)).toMatchObject({ from: null, failed: 'no right to signal it' });
  expect(kill(target)).toMatchObject({ failed: 'no right to signal it' });
});

test('a process that is killed while it stands still was stopped until then', async () => {
  const target = await sleeper();
  const stopping = stop(target, 600);
  await vi.waitFor(() => expect(stateOf(target.pid)).toBe('T'));
  kill(target);
  const { from, to, perhapsTo, failed } = await stopping;
  // We may see it before whoever stops it looks.
  if (from === null) expect(failed).toBe('it was never seen in state T');
  else expect(to).toBeLessThan(perhapsTo);
});

test('without chrt there is no real-time priority, and a hog says why it did not run', async () => {
  vi.stubEnv('PATH', '/nowhere');
  expect(realTimeProblem()).toBe('chrt is not installed');
  expect(await hog(1, 0.01, true)).toMatchObject({ failed: expect.stringContaining('ENOENT') });
});

test('a hog is recorded by what its processes say', async () => {
  const action = await hog(2, 0.01, false);
  expect(action).toMatchObject({ kind: 'hog', role: '2 busy' });
  expect(action.to - action.from).toBeGreaterThanOrEqual(0.01e9);
});
