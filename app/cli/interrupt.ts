/** Ctrl-C, an end that somebody asks for, and that of the terminal or the connection that the command was started in. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts at the first of these signals; a second one ends the process at once. */
export function abortOnInterrupt(onAbort?: () => void): AbortController {
  const abort = new AbortController();
  const stop = (): void => {
    if (abort.signal.aborted) process.exit(130);
    onAbort?.();
    abort.abort();
  };
  for (const signal of signals) process.on(signal, stop);
  return abort;
}
