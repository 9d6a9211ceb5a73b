import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { dyingWithUs } from '../../tools/run-tool';
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

/** @throws WhitelineError TOOL_MISSING naming the file and where it comes from */
export type Launch = (program: HelperProgram<Message, Message, Message>) => LaunchedProcess;

/** It dies with us. */
export const launchProcess: Launch = (program) => {
  refuseUnstartable(program);
  const [file, args] = dyingWithUs(program.file, program.args);
  // In a group of its own: Ctrl-C in a terminal reaches our group only, and we stop it after the last row.
  const env = { ...process.env, ...program.environment };
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env });
  const signalGroup = (signal: NodeJS.Signals): void => {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      // Untested platform: Windows has no process groups.
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It is gone.
    }
  };
  return Object.assign(child, { signalGroup });
};
