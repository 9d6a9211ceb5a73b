import { exitCodes } from '../protocol/errors';
import { Stop } from '../protocol/stop';
import { ownProcess } from './own-process';

/** Ctrl-C, a request to terminate, and the end of the terminal or connection that started the command. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What starts a command may pass its signal on to a process that got it too. */
const samePressMs = 1000;

/** Aborts at the first of these signals; a second one, not of the same moment, ends the process at once. */
export function abortOnInterrupt(onAbort?: () => void): AbortController {
  const own = ownProcess();
  const abort = new AbortController();
  let firstMs = 0;
  const stop = (signal: NodeJS.Signals): void => {
    if (abort.signal.aborted) {
      if (performance.now() - firstMs > samePressMs) own.exit(exitCodes.aborted);
      return;
    }
    firstMs = performance.now();
    onAbort?.();
    abort.abort(Stop.bySignal(signal));
  };
  for (const signal of signals) own.on(signal, () => stop(signal));
  return abort;
}

/** Resolves once it is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
