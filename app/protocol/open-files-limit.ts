import { readFileSync } from 'node:fs';

/** How many files this process, and each that it starts, may have open; null: the system does not say. */
export function openFilesLimit(limits = ownLimits()): number | null {
  const [, soft] = /^Max open files +(\S+)/m.exec(limits ?? '') ?? [];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

function ownLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return null;
  }
}
