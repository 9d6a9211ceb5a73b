/** Ctrl-C, a request to terminate, and the end of the terminal or connection that started the command. */
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
