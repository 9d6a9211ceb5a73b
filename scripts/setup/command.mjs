import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { rootFolder } from './platform.mjs';
import { remedyIn } from './remedies.mjs';
import { SetupError } from './report.mjs';

const keptLines = 20;
/** As a shell has it. */
const missingStatus = 127;
const ownWords = 'correct what the lines above name: they are its own words';

/** No program of that name can be run here. */
const missingErrors = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENOEXEC'];

/**
 * What spawnSync answered, where it answered: a program that could not be started for another reason than that it is missing
 * (EMFILE, a timeout) says nothing, and nothing may follow from it.
 * @throws SetupError for no answer
 */
export function sure(command, result) {
  const { error } = result;
  if (!error || missingErrors.includes(error.code)) return result;
  throw couldNotAsk(command, error.message);
}

/** The end of set-up where a question has no answer. */
export function couldNotAsk(command, why) {
  return new SetupError(
    `${command} could not be asked, so set-up does not know what is here and changes nothing: ${why}.`,
    remedyIn(why) ?? `try it again; then see what \`${command}\` says by itself`,
  );
}

/** True when the command exists and ends well. */
export function succeeds(command, commandArguments, options = {}) {
  const result = spawnSync(command, commandArguments, { stdio: 'ignore', ...options });
  return sure(command, result).status === 0;
}

/** What the command prints, or null when it is missing or fails. */
export function outputOf(command, commandArguments, options = {}) {
  const result = sure(command, spawnSync(command, commandArguments, { encoding: 'utf8', ...options }));
  return result.status === 0 ? result.stdout.trim() : null;
}

/**
 * Runs a command to its end, handing each line it prints to `onLine`.
 * Resolves to its exit status, the signal that ended it if one did, and the last lines it printed; a command that is
 * missing has status 127.
 */
export function run(command, commandArguments, { onLine = () => {}, ...options } = {}) {
  return new Promise((resolve) => {
    const lines = [];
    const child = spawn(command, commandArguments, {
      cwd: rootFolder,
      stdio: ['ignore', 'pipe', 'pipe', ...(options.extraPipes ?? [])],
      ...options,
    });
    const keep = (colouredLine) => {
      const line = stripVTControlCharacters(colouredLine).trimEnd();
      if (line === '') return;
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine(line.trim());
    };
    // Where no file descriptor is left, Node makes no pipes either.
    const pipes = child.stdio ?? [];
    for (const stream of pipes.slice(1, 3).filter(Boolean))
      createInterface({ input: stream }).on('line', keep);
    for (const stream of pipes.slice(3)) createInterface({ input: stream }).on('line', onLine);
    child.once('error', (error) => {
      const status = missingErrors.includes(error.code) ? missingStatus : 1;
      resolve({ status, lastLines: [String(error.message)] });
    });
    child.once('close', (status, signal) => resolve({ status: status ?? 1, signal, lastLines: lines }));
  });
}

/**
 * Runs a command that has to succeed: otherwise set-up ends, with its last lines shown. What to do is found in these lines, where
 * they say that the machine is in the way; else it is what the caller knows: never the command itself, which has just failed.
 */
export async function mustRun(command, commandArguments, { failure, remedy = ownWords, ...options }) {
  const { status, signal, lastLines } = await run(command, commandArguments, options);
  if (status === 0) return;
  const ending = signal ? `ended by ${signal}` : `exit status ${status}`;
  const shown = lastLines.map((line) => `    ${line}`).join('\n');
  const isMissing = status === missingStatus;
  throw new SetupError(
    `${failure} (${ending}).\n${shown}`,
    isMissing ? `install ${command}, or put it into PATH` : (remedyIn(lastLines.join('\n')) ?? remedy),
  );
}

/** Signals a process and all that it started, where it leads a process group and has not ended. */
export function signalGroup(leaderId, signal) {
  try {
    // Windows has no process groups (untested there).
    process.kill(process.platform === 'win32' ? leaderId : -leaderId, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
