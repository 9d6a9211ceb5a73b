import { readProc } from '../load/proc';

/** How many files this process, and each that it starts, may have open; null: the system does not say. */
export function openFilesLimit(limits = readProc('/proc/self/limits')): number | null {
  const [, soft] = /^Max open files +(\S+)/m.exec(limits ?? '') ?? [];
  if (soft === undefined) return null;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

/** Read at the start: where no file can be opened, this one cannot either. */
const limit = openFilesLimit();

/** That no more files may be open, in words; null: it is another error. */
export function tooManyOpenFiles(error: unknown): string | null {
  if ((error as NodeJS.ErrnoException | null)?.code !== 'EMFILE') return null;
  const most = limit === null ? '' : ` than ${limit}`;
  return `Whiteline may have no more files open${most}. Allow more (ulimit -n), or ask for fewer processes`;
}
