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

/**
 * Carries out one step: says what it does, how far it is while it lasts, and how long it took.
 * The action is given a function that takes the latest word on its progress.
 */
export async function step(name, purpose, action) {
  const startedMs = Date.now();
  let latest = '';
  let outcome = 'failed';
  note(name, `${purpose} …`);
  const timer = setInterval(() => showProgress(name, startedMs, latest), quietBeforeProgressMs);
  try {
    const result = await action((text) => {
      latest = text;
    });
    outcome = 'done';
    return result;
  } finally {
    clearInterval(timer);
    clearProgress();
    note(name, `${outcome} after ${seconds(startedMs)}`);
  }
}

function showProgress(name, startedMs, latest) {
  const line = `[${name}] ${seconds(startedMs)} ${latest}`.trimEnd();
  if (!isTerminal) process.stderr.write(`${line}\n`);
  else process.stderr.write(`\r\x1b[K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
}

function clearProgress() {
  if (isTerminal) process.stderr.write('\r\x1b[K');
}

/** Runs a script's main function, and ends it with one clear sentence where it could not go on. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`\nCannot go on: ${error.message}\nWhat to do: ${error.remedy}\n`);
    process.exitCode = 1;
  }
}
