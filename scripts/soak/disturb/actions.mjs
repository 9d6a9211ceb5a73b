import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, stateOf } from './processes.mjs';

/**
 * What is done to a run, and a record of each thing as it was done. Times are of the monotonic clock, ns. Of a stop, `from` and `to`
 * are the first and the last time at which the process was seen in state T; it may have been stopped from `perhapsFrom` to
 * `perhapsTo`. Where something could not be done, `failed` says why.
 */

const pollMs = 20;
/** A process that waits in the kernel for a disk stops when it comes back. */
const longestToStopMs = 2000;

/** Processes that stand still because of us: whatever ends this program, they go on. */
const stopped = new Set();
process.on('exit', continueAll);

export function continueAll() {
  for (const pid of stopped) signal(pid, 'SIGCONT');
  stopped.clear();
}

export function now() {
  return Number(process.hrtime.bigint());
}

/** Why it could not be signalled, in words; null if it was. */
function signal(pid, name) {
  try {
    process.kill(pid, name);
    return null;
  } catch (error) {
    if (error.code === 'ESRCH') return 'it had ended by itself';
    return error.code === 'EPERM' ? 'no right to signal it' : error.message;
  }
}

/** Stops the process for so long, unless it ends meanwhile. */
export async function stop({ pid, role }, seconds) {
  const action = { kind: 'stop', role, pid, wanted: seconds, perhapsFrom: now(), from: null, to: null };
  stopped.add(pid);
  const failed = signal(pid, 'SIGSTOP');
  try {
    if (failed !== null) return { ...action, failed };
    const untilNs = action.perhapsFrom + longestToStopMs * 1e6;
    while (stateOf(pid) !== 'T' && isAlive(pid) && now() < untilNs) await sleep(1);
    if (stateOf(pid) === 'T') action.from = action.to = now();
    const endNs = (action.from ?? now()) + seconds * 1e9;
    do {
      await sleep(Math.max(1, Math.min(pollMs, (endNs - now()) / 1e6)));
      const seenNs = now();
      if (stateOf(pid) === 'T') action.to = seenNs;
    } while (isAlive(pid) && now() < endNs);
  } finally {
    signal(pid, 'SIGCONT');
    stopped.delete(pid);
  }
  while (stateOf(pid) === 'T') await sleep(1);
  action.perhapsTo = now();
  return action.from === null ? { ...action, failed: 'it was never seen in state T' } : action;
}

export function kill({ pid, role }) {
  const failed = signal(pid, 'SIGKILL');
  const atNs = now();
  return { kind: 'kill', role, pid, from: atNs, to: atNs, ...(failed === null ? {} : { failed }) };
}

const busyLoop = `
  const from = process.hrtime.bigint();
  const until = from + BigInt(Math.round(Number(process.argv[1]) * 1e9));
  while (process.hrtime.bigint() < until);
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ from: Number(from), to: Number(process.hrtime.bigint()), cpuSeconds: (user + system) / 1e6 }));`;

/** Why real-time priority is not to be had, in words; null if it is. */
export function realTimeProblem() {
  const { error, status, stderr } = spawnSync('chrt', ['-f', '1', 'true'], { encoding: 'utf8' });
  if (error) return error.code === 'ENOENT' ? 'chrt is not installed' : error.message;
  return status === 0 ? null : stderr.trim() || 'it is not allowed';
}

/** Busy processes, which end by themselves after a while; `onStart` gets the id of each. */
export async function hog(processes, seconds, isRealTime, onStart = () => undefined) {
  const words = [
    ...(isRealTime ? ['chrt', '-f', '1'] : []),
    process.execPath,
    '-e',
    busyLoop,
    String(seconds),
  ];
  const loops = await Promise.all(Array.from({ length: processes }, () => outputOf(words, onStart)));
  const ran = loops.filter(({ text }) => text.startsWith('{')).map(({ text }) => JSON.parse(text));
  const action = { kind: isRealTime ? 'real-time hog' : 'hog', role: `${processes} busy`, wanted: seconds };
  if (ran.length === 0) return { ...action, failed: loops[0].problem || 'it ended without a word' };
  const sum = ran.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  const [from, to] = [Math.min(...ran.map((loop) => loop.from)), Math.max(...ran.map((loop) => loop.to))];
  return { ...action, from, to, cpuSeconds: sum };
}

function outputOf([program, ...words], onStart) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [text, problem] = ['', ''];
    child.on('spawn', () => onStart(child.pid));
    child.stdout.on('data', (data) => {
      text += data;
    });
    child.stderr.on('data', (data) => {
      problem += data;
    });
    child.on('error', (error) => resolve({ text: '', problem: error.message }));
    child.on('close', () => resolve({ text, problem: problem.trim() }));
  });
}
