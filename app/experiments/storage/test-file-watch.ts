import { fstatSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { Fact } from '../../facts/fact';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { WhitelineError } from '../../protocol/errors';
import type { StorageOperation } from './declaration';
import type { OwnTestFile } from './test-file';
import { changeOf, type FileState, hasPromptTimes, type KnownFile } from './test-file-change';

/** Of `stat`, whatever the file system allocates. */
const blockBytes = 512;
const places = 32;
const placeBytes = 4096;

/**
 * Whether the test file still holds what fio wrote. One that was cut and lengthened again reads as zeros that lie on no disk, at the
 * speed of memory.
 */
export class TestFileWatch {
  private known: KnownFile;
  private isChanged = true;

  /** @param fileSystem undefined: not known */
  constructor(
    private readonly file: OwnTestFile,
    private readonly sizeBytes: number,
    private readonly fileSystem: string | undefined,
  ) {
    this.known = unwritten(sizeBytes);
  }

  /** It has to be filled before it is measured: it is new, or another program changed it. */
  get needsFilling(): boolean {
    return this.isChanged;
  }

  /** @throws WhitelineError OUTPUT_UNWRITABLE if another program changed it while it was filled */
  async fill(layOut: () => Promise<unknown>): Promise<void> {
    this.file.setSize(this.sizeBytes);
    this.known = unwritten(this.sizeBytes);
    await layOut();
    const changes = await this.changesBeside('write');
    if (changes.length > 0) throw changedProblem(changes);
    this.isChanged = false;
  }

  /** What another program did to it since it was last seen; fio did nothing but this operation meanwhile. Empty: nothing is seen. */
  async changesBeside(operation: StorageOperation): Promise<Fact[]> {
    const now = await stateOf(this.file.descriptor, this.sizeBytes);
    const isOwnWrite = operation === 'write' || !hasPromptTimes(this.fileSystem);
    const change = changeOf(this.known, now, isOwnWrite);
    if (change) {
      this.isChanged = true;
      return [reasonOf('test-file-changed', { path: this.file.path, ...change })];
    }
    const allocatedBytes = Math.max(now.allocatedBytes, this.known.allocatedBytes);
    this.known = { ...now, allocatedBytes };
    return [];
  }
}

/** Ends the run, where there is no row that says it. */
export function changedProblem(changes: readonly Fact[]): WhitelineError {
  return new WhitelineError({
    code: 'OUTPUT_UNWRITABLE',
    message: `The storage could not be measured: ${wordsOf(changes)}`,
    field: 'folders',
  });
}

function unwritten(sizeBytes: number): KnownFile {
  return { sizeBytes, allocatedBytes: 0, modifiedMs: 0 };
}

const readAt = promisify(read);

/** fio writes random data, so that no place of it holds zeros alone. Each time it is others that are read, as those of before are in memory. */
async function stateOf(descriptor: number, wantedBytes: number): Promise<FileState> {
  const { size, blocks, mtimeMs } = fstatSync(descriptor);
  let emptyPlaces = 0;
  for (let place = 0; place < places && size === wantedBytes; place++) {
    const blocksEach = size / placeBytes / places;
    const at = placeBytes * Math.floor((place + Math.random()) * blocksEach);
    const { bytesRead, buffer } = await readAt(descriptor, Buffer.alloc(placeBytes), 0, placeBytes, at);
    if (buffer.subarray(0, bytesRead).every((byte) => byte === 0)) emptyPlaces += 1;
  }
  return { sizeBytes: size, allocatedBytes: blockBytes * blocks, modifiedMs: mtimeMs, places, emptyPlaces };
}
