import { WhitelineError } from './errors';

/** Why a run is stopped before its end, as far as that is known: the reason of the signal that aborts it. */
export class Stop extends Error {
  override readonly name = 'AbortError';

  /** @param message "stopped by the operator" */
  constructor(message: string) {
    super(message);
  }

  static byOperator(): Stop {
    return new Stop('stopped by the operator');
  }

  static byClosing(): Stop {
    return new Stop('stopped because Whiteline was closed');
  }

  /** Ctrl-C is the operator's; anybody may send the others. */
  static bySignal(signal: NodeJS.Signals): Stop {
    return new Stop(signal === 'SIGINT' ? 'stopped by Ctrl-C or SIGINT' : `stopped by a signal (${signal})`);
  }
}

/** As half a sentence: "stopped by a signal (SIGTERM)"; what failed is named, and where nothing is known, nothing is said. */
export function stoppedText({ reason }: AbortSignal): string {
  if (reason instanceof Stop) return reason.message;
  return reason instanceof WhitelineError ? `stopped: ${reason.message}` : 'stopped';
}
