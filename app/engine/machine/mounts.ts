import { readFileSync } from 'node:fs';

/** A mounted file system, as a line of /proc/self/mountinfo gives it. */
export interface Mount {
  mountPoint: string;
  /** Such as ext4, nfs4 or cifs. */
  fileSystem: string;
  /** Such as /dev/sda1, server:/export or //server/share. */
  source: string;
}

/** "id parent major:minor root mount-point options … - type source …", with blanks as \040; lines of another form are left out. */
export function parseMountInfo(mountInfo: string): Mount[] {
  return mountInfo.split('\n').flatMap((line) => {
    const [head, tail] = line.split(' - ');
    const mountPoint = head?.split(' ')[4];
    const [fileSystem, source] = tail?.split(' ') ?? [];
    if (!mountPoint || !fileSystem || !source) return [];
    return [{ mountPoint: unescaped(mountPoint), fileSystem, source: unescaped(source) }];
  });
}

/** Empty if this system does not list them. */
export function readMounts(): Mount[] {
  try {
    return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return [];
  }
}

/** The kernel writes blank, tab, new line and backslash as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** The mount that holds a path without links: the longest mount point above it, of several the newest. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | null {
  let found: Mount | null = null;
  for (const mount of mounts) {
    const inside = mount.mountPoint === '/' ? '/' : `${mount.mountPoint}/`;
    if (path !== mount.mountPoint && !path.startsWith(inside)) continue;
    if (!found || mount.mountPoint.length >= found.mountPoint.length) found = mount;
  }
  return found;
}

const networkFileSystems = [
  ...['nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'ncpfs', 'afs', 'ceph', 'lustre', 'beegfs', 'gpfs'],
  ...['fuse.glusterfs', 'fuse.sshfs', 'fuse.smbnetfs', 'fuse.ceph'],
];

export function isNetworkMount({ fileSystem }: Mount): boolean {
  return networkFileSystems.includes(fileSystem);
}

/** Without a disk. Newer kernels take O_DIRECT there all the same. */
export function liesInMemory(mount: Mount | null): boolean {
  return mount !== null && ['tmpfs', 'ramfs'].includes(mount.fileSystem);
}

/** The server of "//server/share", "server:/export", "user@server:/folder" or "[2001:db8::7]:/export"; null if it has another form. */
export function serverOf({ source }: Mount): string | null {
  const match =
    /^\/\/([^/]+)\//.exec(source) ??
    /^(?:[^@/]*@)?\[([^\]]+)\]:/.exec(source) ??
    /^(?:[^@/]*@)?([^:/]+):/.exec(source);
  return match?.[1] ?? null;
}
