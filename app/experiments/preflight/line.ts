import type { Found } from './found-reasons';

/** What became of one check. */
export interface Line {
  state: 'ok' | 'warning' | 'problem' | 'unknown';
  found: Found;
  /** What was read or tried. */
  details: Record<string, unknown>;
}

type Details = Record<string, unknown>;

export function ok(found: Found, details: Details = {}): Line {
  return { state: 'ok', found, details };
}

export function warning(found: Found, details: Details = {}): Line {
  return { state: 'warning', found, details };
}

export function problem(found: Found, details: Details = {}): Line {
  return { state: 'problem', found, details };
}

export function unknown(found: Found, details: Details = {}): Line {
  return { state: 'unknown', found, details };
}
