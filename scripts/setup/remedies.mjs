import path from 'node:path';
import { isRoot, rootFolder } from './platform.mjs';

// What tools and system calls say when it is the machine that keeps them from their work, and what helps then.
const obstacles = [
  {
    words: /\bENOSPC\b|\bEDQUOT\b|no space left on device|disk quota exceeded/i,
    help: 'make room on the disk',
  },
  {
    words: /\bEROFS\b|read-only file system/i,
    help: 'use a copy of the checkout on a disk that can be written',
  },
  { words: /\bEACCES\b|\bEPERM\b|permission denied|operation not permitted/i, help: ownership },
  {
    words: /cannot allocate memory|out of memory|virtual memory exhausted|killed signal|\bENOMEM\b/i,
    help: 'free memory: close other programs, or add swap',
  },
  {
    words: /\bEMFILE\b|\bENFILE\b|too many open files/i,
    help: 'raise the limit of open files (`ulimit -n`), or close other programs',
  },
  {
    words:
      /\b(ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH)\b|failure (resolving|in name resolution)|could not (resolve|connect)|failed to establish a new connection|network is unreachable|proxy error/i,
    help: 'check the network, and the proxy if there is one (HTTPS_PROXY, HTTP_PROXY)',
  },
];

/** The remedy for an error with these words; null if they concern nothing of the machine. */
export function remedyIn(words, asRoot = isRoot) {
  const help = obstacles.find((obstacle) => obstacle.words.test(words))?.help ?? null;
  return typeof help === 'function' ? help(words, asRoot) : help;
}

/** A checkout that was copied, or set up by another user, such as root. */
function ownership(words, asRoot) {
  // Node's way of naming it, and npm's.
  const [, quoted, named] = /'(\/[^']+)'|\bpath (\/\S+)/.exec(words) ?? [];
  const file = quoted ?? named ?? rootFolder;
  const isInside = !path.relative(rootFolder, file).startsWith('..');
  const place = isInside ? rootFolder : file;
  if (asRoot) return `see what keeps root from ${place}: findmnt -T '${place}'; lsattr -d '${place}'`;
  return `give yourself what belongs to another user: sudo chown -R "$(id -un)" '${place}'`;
}
