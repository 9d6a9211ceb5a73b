import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../../protocol/clock';
import { dyingWithUs } from '../../tools/run-tool';
import { feedWatchdog } from '../../tools/watchdog';
import { type HelperProgram, type Message, refuseUnstartable } from './helper-program';

/** A process of a helper, as it is spoken to. */
export interface LaunchedProcess {
  /** Undefined: it could not be started, and `error` says why. */
  readonly pid?: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  on(event: 'close', listener: (exitCode: number | null, endSignal: NodeJS.Signals | null) => void): unknown;
  unref(): void;
  /** To it and to all that it started. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** @throws WhitelineError TOOL_MISSING naming the file and if it comes from */
export type Launch = (program: HelperProgram<Message, Message, Message>) => LaunchedProcess;

/** It dies with us. */
export const launchProcess: Launch = (program) => launch(program);

/** It also ends 5.5 s after this clock does not go on, as where we are stopped or hang. */
export function launchWatched(clock: Pick<Clock, 'every'>): Launch {
  return (program) => launch(program, clock);
}

const pipes = ['pipe', 'pipe', 'pipe'] as const;
/** Behind them. */
const watchdogPipe = pipes.length;

function launch(
  program: HelperProgram<Message, Message, Message>,
  lifeClock?: Pick<Clock, 'every'>,
): LaunchedProcess {
  refuseUnstartable(program);
  const [file, args] = dyingWithUs(program.file, program.args, lifeClock && watchdogPipe);
  // It gets its own process group: Ctrl-C in a terminal then reaches only ours, and we stop it after the last row.
  const env = { ...process.env, ...program.environment };
  const stdio = lifeClock ? [...pipes, 'pipe' as const] : [...pipes];
  const child = spawn(file, args, { stdio, detached: true, env });
  const stopFeeding = lifeClock && feedWatchdog(child, watchdogPipe, lifeClock);
  const signalGroup = (signal: NodeJS.Signals): void => {
    const { pid } = child;
    if (pid === undefined) return;
    if (signal === 'SIGKILL') stopFeeding?.();
    try {
      // Untested platform: Windows has no process groups.
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It is gone.
    }
  };
  return Object.assign(child, { signalGroup });
}
