import { readFileSync } from 'node:fs';

/** The last core that this process may run on, out of /proc/self/status; null: not known. */
export function lastCore(status = readFileSync('/proc/self/status', 'utf8')): number | null {
  const [, cores] = /^Cpus_allowed_list:.*?(\d+)\s*$/m.exec(status) ?? [];
  return cores === undefined ? null : Number(cores);
}
