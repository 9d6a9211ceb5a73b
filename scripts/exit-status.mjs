import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onNpmGone } from './starter.mjs';

/** Of app/protocol/errors.ts: no end that we did not plan may look like 1, a FAIL that is proved. */
export const exitCodes = { environment: 3, aborted: 4 };

/** What becomes of verdict and records where a command is cut short; others than these have neither. */
const cutShortFile = new URL('../app/protocol/cut-short.json', import.meta.url);
const cutShort = new Map(Object.entries(JSON.parse(readFileSync(cutShortFile, 'utf8'))));

/** By which an operator ends a program. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the foreground, as if it had been started in this one's place. It ends when this process or npm is killed:
 * app/protocol/starter.ts reads the variable. `started`: the word of the `whiteline` command that it is, or `console`.
 */
export async function exitStatusOf(command, commandArguments, started, environment = process.env) {
  const env = { ...environment, WHITELINE_STARTER: String(process.pid) };
  const child = spawn(command, commandArguments, { stdio: 'inherit', env });
  onNpmGone(() => process.exit(exitCodes.aborted));
  // The child, which may get a terminal's signal as well, ends by itself once its files are written.
  for (const signal of stopSignals) process.on(signal, () => child.kill(signal));
  const [status, signal] = await once(child, 'exit');
  if (signal === null) return status;
  const { code, text } = endedBy(signal, started);
  process.stderr.write(`\nwhiteline: ${text}\n`);
  return code;
}

/** What it means that a signal ended the program: it judged nothing. `started`: as above. */
export function endedBy(signal, started) {
  if (stopSignals.includes(signal))
    return { code: exitCodes.aborted, text: `${signal} ended it before it could close its files.` };
  const cause =
    signal === 'SIGKILL'
      ? 'Another program sent it, or the system was out of memory: `dmesg` shows which.'
      : 'Report it to the project.';
  return {
    code: exitCodes.environment,
    text: `${signal} ended it${cutShort.get(started) ?? ''}. ${cause}`,
  };
}
