/** What is said of one thing that was checked. */
export interface Line {
  state: 'ok' | 'warning' | 'problem' | 'unknown';
  /** What was found, or why it could not be found out, as a sentence without its full stop. */
  found: string;
  /** What to do about it; empty where all is well. */
  advice: string;
  /** Puts it right on this machine, or looks closer; never run by us. Empty where none helps. */
  command: string;
  /** The facts behind it. */
  details: Record<string, unknown>;
}

type Details = Record<string, unknown>;

export function ok(found: string, details: Details = {}): Line {
  return { state: 'ok', found, advice: '', command: '', details };
}

export function warning(found: string, advice: string, command: string, details: Details = {}): Line {
  return { state: 'warning', found, advice, command, details };
}

export function problem(found: string, advice: string, command: string, details: Details = {}): Line {
  return { state: 'problem', found, advice, command, details };
}

export function unknown(found: string, advice = '', command = '', details: Details = {}): Line {
  return { state: 'unknown', found, advice, command, details };
}
