import type { FileChange } from './reasons';

/** The test file, as the system reports it. */
export interface FileState {
  sizeBytes: number;
  /** Of the disk. Some file systems report it seconds after the writing; a server may report none. */
  allocatedBytes: number;
  modifiedMs: number;
  /** Places that were read, spread over the file, and those of them that hold zeros alone, as a part that lies on no disk does. */
  places: number;
  emptyPlaces: number;
}

/** What is known of it from before. */
export type KnownFile = Pick<FileState, 'sizeBytes' | 'allocatedBytes' | 'modifiedMs'>;

/** File systems of this machine that set the time of change with each write, and at no other moment. */
const promptFileSystems = ['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'zfs', 'tmpfs', 'overlay'];

export function hasPromptTimes(fileSystem: string | undefined): boolean {
  return fileSystem !== undefined && promptFileSystems.includes(fileSystem);
}

/** Share of its size that a file may have less on the disk than before: file systems count blocks of their own lists too. */
const mostLostShare = 0.02;

/**
 * What another program did to the file; null: nothing is seen. Compared is with what was known before and not with the size alone:
 * a file system that compresses takes less, and one that allocates late takes more with time.
 * @param known its size, the most that was allocated of it so far, and its last change by fio
 * @param isOwnWrite fio wrote to it meanwhile, or the time of change is not to be relied on
 */
export function changeOf(known: KnownFile, now: FileState, isOwnWrite: boolean): FileChange | null {
  const { sizeBytes, allocatedBytes, modifiedMs } = known;
  if (now.sizeBytes !== sizeBytes) return { what: 'size', found: now.sizeBytes, expected: sizeBytes };
  if (now.allocatedBytes < allocatedBytes - mostLostShare * sizeBytes)
    return { what: 'allocated', found: now.allocatedBytes, expected: allocatedBytes };
  if (now.emptyPlaces > 0) return { what: 'zeros', found: now.emptyPlaces, expected: now.places };
  if (!isOwnWrite && now.modifiedMs !== modifiedMs)
    return { what: 'written', found: now.modifiedMs, expected: modifiedMs };
  return null;
}
