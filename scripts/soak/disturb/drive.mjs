import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rootFolder } from '../../setup/platform.mjs';
import { continueAll, hog, kill, now, stop } from './actions.mjs';
import { LoadWatch } from './load-watch.mjs';
import { isAlive, stateOf, targetsOf } from './processes.mjs';
import { askRegistry } from './registry.mjs';

const bundle = path.join(rootFolder, 'dist/app/cli.cjs');
const patienceSeconds = 60;
const leftBehindSeconds = 10;
const lookMs = 100;
const askMs = 1000;
/** Before the sender beside it is there, a receiver waits for nothing. */
const remote = 'remote ';

const living = new Set();
process.on('exit', () => endAll('SIGKILL'));

/** Ends what runs: stopped processes go on first, so that they can end. */
export function endAll(signal) {
  continueAll();
  for (const command of living) command.child.kill(signal);
}

/** Runs the real command, disturbs it as planned, and says what was done and how it ended. */
export async function runDisturbed(
  { experiment, disturbances },
  { name, folder, movie, storageFolder, realTime },
) {
  const words = experiment.commandsOf(name, { movie, folder: storageFolder });
  const startedNs = now();
  const commands = words.map((more, index) => {
    const isJudged = index === words.length - 1;
    return begin(isJudged ? [...more, '--out', folder] : more, isJudged ? '' : remote);
  });
  const judged = commands[commands.length - 1];
  const load = new LoadWatch(commands.map(({ child }) => child.pid));
  const seen = new Map();
  const inUse = new Set();
  const end = new AbortController();
  void judged.ended.then(() => end.abort());
  const context = { startedNs, commands, inUse, realTime, load, end: end.signal };
  const hit = disturbances.map((wanted) => disturb(wanted, context));
  const asked = askWhileRunning(judged, seen);
  const limitNs = startedNs + 1e9 * (experiment.seconds + patienceSeconds + secondsOf(disturbances));
  while (!judged.hasEnded && now() < limitNs) {
    for (const target of aliveOf(commands)) seen.set(target.pid, target);
    await sleep(lookMs);
  }
  const hung = judged.hasEnded ? null : stillsOf(commands);
  const seconds = (now() - startedNs) / 1e9;
  for (const { child } of commands) child.kill(hung ? 'SIGKILL' : 'SIGINT');
  const actions = await Promise.all(hit);
  const leftBehind = await endOf([...seen.values()]);
  await Promise.all(commands.map(({ ended }) => ended));
  const { exitCode, signal, errors } = judged;
  return {
    actions,
    startedNs,
    load: load.end(),
    answers: await asked,
    seconds,
    ended: { exitCode, signal, errors, hung, leftBehind },
  };
}

function begin(words, prefix) {
  // In a group of its own, so that a terminal's Ctrl-C comes from us alone.
  const child = spawn(process.execPath, [bundle, ...words], {
    cwd: rootFolder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const command = { child, prefix, hasEnded: false, exitCode: null, signal: null, errors: '' };
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text) => {
    command.errors = (command.errors + text).slice(-20_000);
  });
  living.add(command);
  command.ended = new Promise((resolve) => {
    child.on('close', (exitCode, signal) => {
      living.delete(command);
      Object.assign(command, { hasEnded: true, exitCode, signal });
      resolve();
    });
  });
  return command;
}

async function disturb(wanted, { startedNs, commands, inUse, realTime, load, end }) {
  const waitMs = Math.max(0, wanted.atSeconds * 1000 - (now() - startedNs) / 1e6);
  await sleep(waitMs, undefined, { signal: end }).catch(() => undefined);
  if (end.aborted) return { kind: wanted.kind, role: 'anybody', failed: 'the command had ended' };
  if (wanted.kind === 'hog')
    return hog(wanted.processes, wanted.seconds, wanted.isRealTime && realTime, (pid) => load.add(pid));
  const target = await targetOf(wanted, { commands, inUse, end });
  if (!target) return { kind: wanted.kind, role: wanted.role ?? 'anybody', failed: 'none was there' };
  if (wanted.kind === 'kill') return kill(target);
  inUse.add(target.pid);
  const action = await stop(target, wanted.seconds);
  inUse.delete(target.pid);
  return action;
}

/** One of those that are there; if a role is named, the first of it that comes. Undefined: none is there, or came. */
async function targetOf({ role, share = 0 }, { commands, inUse, end }) {
  const targets = () =>
    aliveOf(commands).filter((one) => !inUse.has(one.pid) && (role === undefined || one.role === role));
  while (role !== undefined && targets().length === 0 && !end.aborted) await sleep(lookMs);
  const found = targets();
  return found[Math.floor(share * found.length)];
}

/** What a registry among the processes says, once a second. */
async function askWhileRunning(command, seen) {
  const answers = [];
  while (!command.hasEnded) {
    const registry = [...seen.values()].find(({ role }) => role === 'registry');
    const answer = registry === undefined ? null : await askRegistry(registry.pid);
    if (answer !== null) answers.push(answer);
    await sleep(askMs);
  }
  return answers;
}

function aliveOf(commands) {
  return commands
    .filter(({ hasEnded }) => !hasEnded)
    .flatMap(({ child, prefix }) => targetsOf(child.pid, prefix));
}

function secondsOf(disturbances) {
  return disturbances.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
}

/** What its processes do, of a command that does not end. */
function stillsOf(commands) {
  return aliveOf(commands)
    .map(({ pid, role }) => {
      try {
        return `${role} ${pid} in ${stateOf(pid)} at ${readFileSync(`/proc/${pid}/wchan`, 'latin1')}`;
      } catch {
        return `${role} ${pid} ends`;
      }
    })
    .join(', ');
}

/** Roles of what outlives its command; these are ended. */
async function endOf(processes) {
  const untilNs = now() + leftBehindSeconds * 1e9;
  const alive = () => processes.filter(({ pid }) => isAlive(pid));
  while (alive().length > 0 && now() < untilNs) await sleep(lookMs);
  const left = alive();
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return left.map(({ role }) => role);
}
