import { hostname } from 'node:os';

const host = hostname();

/** A record of this machine. */
export function withHost<Kind extends object>(record: Kind): Kind & { host: string } {
  return { host, ...record };
}
