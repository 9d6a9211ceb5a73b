/** How a process ended that was not asked to. */
export interface ProcessEnd {
  exitCode: number | null;
  /** Null: none ended it. */
  signal: string | null;
}

/** "was killed (SIGKILL)", "was ended by SIGSEGV", "ended with code 1". */
export function endWords({ exitCode, signal }: ProcessEnd): string {
  if (signal !== null) return signal === 'SIGKILL' ? 'was killed (SIGKILL)' : `was ended by ${signal}`;
  // What Electron reports of a process that was killed.
  return exitCode === 0 || exitCode === null ? 'ended unexpectedly' : `ended with code ${exitCode}`;
}
