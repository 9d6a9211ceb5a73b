import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { machineClock } from '../clock';
import { tooManyOpenFiles } from './open-files';
import { feedWatchdog, startWatchdog } from './watchdog';

export interface ToolCall {
  /** Name of the program, looked up in PATH, or its path. */
  file: string;
  args: readonly string[];
  signal?: AbortSignal;
  /** Killed after this long. */
  timeoutSeconds: number;
  /** By whose time; a program is real, and so is its time, unless a test gives another. */
  after?: Clock['after'];
  /** In the place of our own. */
  environment?: NodeJS.ProcessEnv;
  /** Open files that it gets as its descriptors 3, 4 …; they stay ours to close. */
  descriptors?: readonly number[];
  /** Of our own life: it ends 5.5 s after this does not go on, as where we are stopped or hang. Absent: only where we are gone. */
  lifeClock?: Pick<Clock, 'every'>;
  /** Called with each line of standard output as it comes. */
  onLine?(line: string): void;
}

export interface ToolResult {
  stdout: string;
  stderr: string;
  /** Null if a signal ended it. */
  exitCode: number | null;
  endSignal: NodeJS.Signals | null;
}

export type RunTool = (call: ToolCall) => Promise<ToolResult>;

/** A program that did not end in time and was stopped. */
export class ToolTimeout extends WhitelineError {}

const isWindows = process.platform === 'win32';
/** More than any tool here writes; what comes after it is not kept. */
const mostOutputBytes = 16 * 1024 * 1024;

/** Programs that run now. */
const running = new Set<number>();

/** What they take of the CPU is ours. */
export function toolProcessIds(): number[] {
  return [...running];
}

/** Path of a program of PATH, or null. */
export function findTool(file: string): string | null {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, isWindows ? `${file}.exe` : file))
    .find((path) => existsSync(path));
  return found ?? null;
}

/**
 * Runs a program to its end, whatever its exit status. It dies with us: on Linux by the kernel, even where we are killed.
 * It leads a process group, which is killed as a whole.
 * @throws WhitelineError TOOL_MISSING; TOOL_FAILED after `timeoutSeconds`; ABORTED when the signal aborts, after it has ended
 */
export function runTool(call: ToolCall): Promise<ToolResult> {
  const { file, signal, timeoutSeconds, onLine, environment, descriptors = [] } = call;
  const { after = machineClock.after, lifeClock } = call;
  /** Behind all that it gets. */
  const watchdogPipe = 3 + descriptors.length;
  const [program, args] = dyingWithUs(file, call.args, lifeClock && watchdogPipe);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(file));
    // Tools report their figures and errors in English then.
    const env = { ...(environment ?? process.env), LC_ALL: 'C' };
    const pipe = 'pipe' as const;
    const stdio = ['ignore' as const, pipe, pipe, ...descriptors, ...(lifeClock ? [pipe] : [])];
    // Windows has no process groups, and would open a window.
    const child = spawn(program, args, { stdio, env, detached: !isWindows });
    const stopFeeding = lifeClock && feedWatchdog(child, watchdogPipe, lifeClock);
    const { pid } = child;
    if (pid !== undefined) {
      running.add(pid);
      child.on('exit', () => running.delete(pid));
    }
    const kept = { stdout: '', stderr: '' };
    let open = '';
    let timedOut = false;
    const kill = (): void => {
      killGroup(child);
      stopFeeding?.();
      // A child that left the process group keeps the pipes open, so they are closed here.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const stopWaiting = after(timeoutSeconds * 1000, () => {
      timedOut = true;
      kill();
    });
    signal?.addEventListener('abort', kill, { once: true });
    const keep = (stream: 'stdout' | 'stderr', text: string): void => {
      if (kept[stream].length < mostOutputBytes) kept[stream] += text;
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      keep('stdout', text);
      if (!onLine) return;
      const lines = (open + text).split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => keep('stderr', text));
    const settle = (): void => {
      stopWaiting();
      signal?.removeEventListener('abort', kill);
    };
    child.on('error', (error) => {
      settle();
      reject(startProblem(file, error));
    });
    child.on('close', (exitCode, endSignal) => {
      settle();
      if (signal?.aborted) return reject(aborted(file));
      if (timedOut) return reject(tooSlow(file, timeoutSeconds));
      resolve({ ...kept, exitCode, endSignal });
    });
  });
}

/** A program and everything that it started, except what made its own process group. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // Once it was waited for, its number may be another's; what it started still has the group, and loses its pipes.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(isWindows ? pid : -pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}

/** We may be killed before the kernel was asked to report it: then there is another parent by now. */
const unlessOrphan = '[ "$PPID" = "$1" ] || exit 1; shift;';

/**
 * The program as a child that dies with us, by the kernel, even if we are killed; its process id is the child's. Windows and macOS have no
 * such thing (untested there): the program ends by itself, or when its pipe breaks.
 * @param watchedBy descriptor of the pipe that feeds its watchdog; absent: it has none
 */
export function dyingWithUs(file: string, args: readonly string[], watchedBy?: number): [string, string[]] {
  if (process.platform !== 'linux' || !findTool('setpriv') || !(findTool(file) ?? existsSync(file))) {
    return [file, [...args]];
  }
  const script = [unlessOrphan, watchedBy === undefined ? '' : startWatchdog(watchedBy), 'exec "$@"'].join(
    ' ',
  );
  const words = ['--pdeathsig', 'KILL', '--', '/bin/sh', '-c', script, 'sh'];
  return ['setpriv', [...words, `${process.pid}`, file, ...args]];
}

function startProblem(file: string, error: NodeJS.ErrnoException): WhitelineError {
  if (error.code !== 'ENOENT') {
    const message = `${file} could not be started: ${tooManyOpenFiles(error) ?? error.message}`;
    return new WhitelineError({ code: 'TOOL_FAILED', message });
  }
  return new WhitelineError({
    code: 'TOOL_MISSING',
    message: `${file} is not installed, or not in PATH`,
    field: 'tool',
    value: file,
  });
}

function tooSlow(file: string, seconds: number): ToolTimeout {
  return new ToolTimeout({
    code: 'TOOL_FAILED',
    message: `${file} did not end within ${seconds} s and was stopped`,
    field: 'tool',
    value: file,
  });
}

function aborted(file: string): WhitelineError {
  return new WhitelineError({ code: 'ABORTED', message: `${file} was stopped` });
}
