import { badInput } from '../../protocol/errors';
import { openFilesLimit } from '../../protocol/open-files-limit';

/** Read at the start: where no file can be opened, this one cannot either. */
const limit = openFilesLimit();

/** That no more files may be open, in words; null: it is another error. */
export function tooManyOpenFiles(error: unknown): string | null {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException;
  // Of a thread that did not start, Node gives a code of its own.
  const isOfThread = code === 'ERR_WORKER_INIT_FAILED' && /\bEMFILE\b/.test(message);
  if (code !== 'EMFILE' && !isOfThread) return null;
  const most = limit === null ? '' : ` than ${limit}`;
  return `Whiteline may have no more files open${most}. Allow more (ulimit -n), or ask for fewer processes`;
}

/** What a process needs beside its connections. */
const otherFiles = 100;

/**
 * Each connection is an open file.
 * @param most files that may be open; null: not known
 * @param otherwise what else helps, as the end of a sentence
 * @param where on which machine, as it follows “open”
 * @throws WhitelineError BAD_INPUT
 */
export function checkConnections(
  nodes: number,
  most: number | null,
  otherwise: string,
  where = 'here',
): void {
  if (most === null || nodes + otherFiles <= most) return;
  throw badInput(
    'nodes',
    `at most ${most - otherFiles} with a connection each, since ${most} files may be open ${where},`,
    nodes,
    `Raise the limit (ulimit -n ${nodes + otherFiles}), ${otherwise}`,
  );
}
