/** Aborts at the first Ctrl-C or termination; a second one ends the process at once. */
export function abortOnInterrupt(onAbort?: () => void): AbortController {
  const abort = new AbortController();
  const stop = (): void => {
    if (abort.signal.aborted) process.exit(130);
    onAbort?.();
    abort.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return abort;
}
