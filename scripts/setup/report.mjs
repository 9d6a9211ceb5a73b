import { inspect } from 'node:util';
import { exitCodes } from '../exit-status.mjs';
import { remedyIn } from './remedies.mjs';

const isTerminal = Boolean(process.stderr.isTTY);
const quietBeforeProgressMs = isTerminal ? 1_000 : 15_000;

/** Why set-up cannot go on, in one sentence, and what a person can do about it. */
export class SetupError extends Error {
  /** @param {string} message @param {string} remedy a command or an action */
  constructor(message, remedy) {
    super(message);
    this.name = 'SetupError';
    this.remedy = remedy;
  }
}

export function seconds(startedMs) {
  return `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;
}

export function note(name, text) {
  process.stderr.write(`[${name}] ${text}\n`);
}

/** The steps that are under way, by name. */
const running = new Map();

/**
 * Carries out one step: says what it does, how far it is while it lasts, and how long it took. Steps may overlap.
 * The action is given a function that takes the latest word on its progress.
 */
export async function step(name, purpose, action) {
  const progress = { startedMs: Date.now(), latest: '' };
  let outcome = 'failed';
  clearProgress();
  note(name, `${purpose} …`);
  running.set(name, progress);
  const timer = setInterval(() => showProgress(name), quietBeforeProgressMs);
  try {
    const result = await action((text) => {
      progress.latest = text;
    });
    outcome = 'done';
    return result;
  } finally {
    clearInterval(timer);
    running.delete(name);
    clearProgress();
    note(name, `${outcome} after ${seconds(progress.startedMs)}`);
  }
}

/** A terminal shows all steps on one line, which it rewrites. */
function showProgress(name) {
  if (!isTerminal) process.stderr.write(`${progressOf(name)}\n`);
  else {
    const line = [...running.keys()].map(progressOf).join('  ');
    process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
  }
}

function progressOf(name) {
  const { startedMs, latest } = running.get(name);
  return `[${name}] ${seconds(startedMs)} ${latest}`.trimEnd();
}

function clearProgress() {
  if (isTerminal) process.stderr.write('\r\x1b[K');
}

/** Waits for all of these before it throws what failed, so that no step goes on after the error message. */
export async function sideBySide(...actions) {
  const outcomes = await Promise.allSettled(actions);
  const reasons = outcomes.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
  if (reasons.length === 0) return;
  const unexpected = reasons.find((reason) => !(reason instanceof SetupError));
  if (unexpected || reasons.length === 1) throw unexpected ?? reasons[0];
  const all = (part) => reasons.map((reason) => reason[part]).join('\n');
  throw new SetupError(all('message'), all('remedy'));
}

/** What a person can do about it; nothing if it is a fault of ours. */
function remedyOf(error) {
  if (error instanceof SetupError) return error.remedy;
  if (error.code?.startsWith('ERR_PARSE_ARGS'))
    return 'docs/testing.md has the options of the soaks and of fuzzing, docs/benchmarks.md those of the benchmarks';
  // A system call that failed: a checkout of another user's, a full disk.
  return error.syscall && remedyIn(error.message);
}

/** Runs a script's main function, and ends it with one clear sentence where it could not go on. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const remedy = remedyOf(error);
    process.exitCode = exitCodes.environment;
    if (remedy) process.stderr.write(`\nCannot go on: ${error.message}\nWhat to do: ${remedy}\n`);
    else {
      // A step that goes on beside it must not keep the process.
      process.stderr.write(`\n${inspect(error)}\n`, () => process.exit());
    }
  }
}
