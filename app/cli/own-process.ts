import { AsyncLocalStorage } from 'node:async_hooks';

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What a command uses of the process that it runs in: where it writes, the signals that it gets, and its end at once. */
export interface OwnProcess {
  readonly stdout: Screen;
  readonly stderr: Screen;
  on(event: NodeJS.Signals | 'exit', listener: () => void): unknown;
  off(event: NodeJS.Signals | 'exit', listener: () => void): unknown;
  exit(exitCode: number): void;
}

const given = new AsyncLocalStorage<OwnProcess>();

/** `process`, but for a command that was given another. */
export function ownProcess(): OwnProcess {
  return given.getStore() ?? process;
}

/**
 * Gives it to all that the action does, now and later: commands that run at the same time each have theirs. Node follows each
 * promise from the first call on, which costs time: the command itself never makes one.
 */
export function withOwnProcess<Result>(own: OwnProcess, action: () => Result): Result {
  return given.run(own, action);
}
