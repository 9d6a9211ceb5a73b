import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** All processes of a machine share it: a finder asks there for the sources of one of them. */
const sharedPort = 5960;
/** TCP_LISTEN of the kernel's net/tcp_states.h, as /proc/net/tcp gives it. */
const listening = '0A';

/**
 * Where the only sender of a process of this machine is reached without looking its name up. Undefined if the process has
 * not exactly one, and on systems without /proc: there the name is looked up.
 */
export function senderAddress(processId: number): string | undefined {
  const ports = listeningPorts(processId).filter((port) => port !== sharedPort);
  return ports.length === 1 ? `127.0.0.1:${ports[0]}` : undefined;
}

/** TCP ports over IPv4 on which a process listens; of one that is gone, and on systems without /proc, none. */
export function listeningPorts(processId: number): number[] {
  try {
    const inodes = socketInodes(processId);
    return parseListening(readFileSync(`/proc/${processId}/net/tcp`, 'latin1'))
      .filter(({ inode }) => inodes.has(inode))
      .map(({ port }) => port);
  } catch {
    return [];
  }
}

/** The listening sockets in the text of /proc/net/tcp. */
export function parseListening(text: string): { port: number; inode: string }[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state]) => state === listening)
    .map((fields) => ({
      port: Number.parseInt(fields[1]?.split(':')[1] ?? '', 16),
      inode: fields[9] ?? '',
    }));
}

function socketInodes(processId: number): Set<string> {
  const folder = `/proc/${processId}/fd`;
  const inodes = new Set<string>();
  for (const name of readdirSync(folder)) {
    const inode = socketInode(`${folder}/${name}`);
    if (inode) inodes.add(inode);
  }
  return inodes;
}

/** Undefined if it is not a socket, or is closed meanwhile. */
function socketInode(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1];
  } catch {
    return undefined;
  }
}
