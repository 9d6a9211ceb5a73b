import { lookup } from 'node:dns/promises';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { freeBytes } from '../../engine/content/free-space';
import { isNetworkMount, type Mount, mountOf, readMounts, serverOf } from '../../engine/machine/mounts';
import { lineTowards } from '../../engine/tools/line-towards';
import type { RunTool } from '../../engine/tools/run-tool';
import { badInput } from '../../protocol/errors';

/** A folder that may be measured. */
export interface MeasuredFolder {
  /** As it was given. */
  name: string;
  /** Without links. */
  path: string;
  mount: Mount | null;
  freeMib: number;
  /** Of the link to a share's server; null: not a share, or unknown. */
  lineRateMbps: number | null;
  /** Where the speed comes from, or why it is null. */
  lineRateSource: string;
}

/** Share of the free space that the test file may take. */
const mostShare = 0.1;
const bytesPerMib = 1024 * 1024;

/** Where devices and the kernel's own files live. */
const systemFolders = ['/dev', '/proc', '/sys'];

/**
 * @throws WhitelineError BAD_INPUT for a device, for what is no folder or cannot be written, and for a file that would
 * take more than a tenth of the free space
 */
export async function checkFolder(
  name: string,
  sizeMib: number,
  givenRateMbps: number | undefined,
  run: RunTool,
): Promise<MeasuredFolder> {
  const path = realFolder(name);
  const free = await freeBytes(path);
  if (!free) throw badInput('folders', 'a folder whose free space is known', name, 'Choose another folder');
  const freeMib = Math.floor(free / bytesPerMib);
  const mostMib = Math.floor(freeMib * mostShare);
  if (sizeMib > mostMib) {
    const expected = `at most a tenth of the ${freeMib} MiB that are free in ${name}`;
    const remedy =
      mostMib >= 16
        ? `Give --size-mib ${mostMib}, or free some space`
        : 'Free some space, or choose another folder';
    throw badInput('sizeMib', expected, sizeMib, remedy);
  }
  const mount = mountOf(path, readMounts());
  return { name, path, mount, freeMib, ...(await lineRateOf(mount, givenRateMbps, run)) };
}

/** @throws WhitelineError BAD_INPUT for a device, and for what is no folder or cannot be written */
export function realFolder(name: string): string {
  const refuse = (expected: string, remedy: string): never => {
    throw badInput('folders', expected, name, remedy);
  };
  let path = '';
  try {
    path = realpathSync(name);
  } catch {
    return refuse('a folder that exists', 'Name a folder of the disk or share that is to be measured');
  }
  const isOfSystem = systemFolders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const stat = statSync(path);
  if (isOfSystem || stat.isBlockDevice() || stat.isCharacterDevice())
    return refuse(
      'a folder, not a device',
      'Writing to a device would destroy what is on it: name a folder of the file system on it',
    );
  if (!stat.isDirectory()) return refuse('a folder', 'A file of our own is made in it, and removed');
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(
      'a folder that may be written to',
      code === 'EROFS'
        ? 'It is mounted read-only: mount it for writing, or choose another'
        : 'Choose another folder',
    );
  }
  return path;
}

type FolderLine = Pick<MeasuredFolder, 'lineRateMbps' | 'lineRateSource'>;

/** Speed of the link to a share. */
export async function lineRateOf(
  mount: Mount | null,
  givenMbps: number | undefined,
  run: RunTool,
): Promise<FolderLine> {
  const unknown = (lineRateSource: string): FolderLine => ({ lineRateMbps: null, lineRateSource });
  if (!mount) return unknown('the system does not report what is mounted there');
  if (!isNetworkMount(mount)) return unknown(`${mount.fileSystem} on this machine is behind no link`);
  if (givenMbps !== undefined) return { lineRateMbps: givenMbps, lineRateSource: 'as given' };
  const server = serverOf(mount);
  if (!server) return unknown(`the server of ${mount.source} is not known`);
  try {
    const { address } = await lookup(server);
    const line = await lineTowards(address, run);
    if (line.speedMbps === null)
      return unknown(line.loopback ? 'loopback has no speed' : (line.notMeasured.speedMbps ?? 'not known'));
    return {
      lineRateMbps: line.speedMbps,
      lineRateSource: `speed of ${line.interfaceName} towards ${server}`,
    };
  } catch {
    return unknown(`${server} cannot be found`);
  }
}
