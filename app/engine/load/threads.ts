import { readdirSync } from 'node:fs';
import { ProcNumberFile, readProc, readProcNumber } from './proc';
import { windowsBooks } from './windows-books';

export interface ThreadTime {
  name: string;
  /** CPU time since the thread began, ns. */
  cpuNs: number;
}

/** By the threads' numbers. */
export type ThreadTimes = ReadonlyMap<string, ThreadTime>;

interface KnownThread {
  /** Null if too many are open already. */
  file: ProcNumberFile | null;
  name: string;
  /** The name was read a second time: a thread begins under its creator's, and takes its own a moment later. */
  isNamed: boolean;
}

/** So that the process that looks never runs out of files for its own work. */
const mostFiles = 512;

/** CPU time of the threads of some processes, look after look. */
export class ThreadReader {
  private readonly known = new Map<number, Map<string, KnownThread>>();
  private files = 0;

  constructor(private readonly limit = mostFiles) {}

  /**
   * Null if the process is gone, or the kernel does not report the time of threads.
   * @param count of its threads, as the kernel said a moment ago: where as many are known and all of them live, it has no other one, and its
   * folder is not listed
   */
  read(processId: number, count?: number): ThreadTimes | null {
    const windows = windowsBooks();
    if (windows) return windows.threadTimes(processId);
    const ids = [...(this.known.get(processId)?.keys() ?? [])];
    const known = ids.length === count ? this.timesOf(processId, ids) : null;
    const isWhole = known !== null && known.size === count;
    const threads = isWhole ? known : this.timesOf(processId, threadIds(processId));
    let totalNs = 0;
    for (const { cpuNs } of threads.values()) totalNs += cpuNs;
    // A kernel that keeps no such times writes zeros; a process that was sampled has used some.
    return totalNs > 0 ? threads : null;
  }

  private timesOf(processId: number, ids: readonly string[]): ThreadTimes {
    const before = this.known.get(processId) ?? new Map<string, KnownThread>();
    const after = new Map<string, KnownThread>();
    const threads = new Map<string, ThreadTime>();
    for (const id of ids) {
      const path = `${folderOf(processId)}/${id}`;
      const earlier = before.get(id);
      const thread = earlier ?? { file: this.open(path), name: '', isNamed: false };
      before.delete(id);
      after.set(id, thread);
      // The first figure is ns on a processor: exact where /proc/…/stat counts in hundredths of a second.
      const cpuNs = thread.file ? thread.file.read() : readProcNumber(`${path}/schedstat`);
      if (cpuNs === null) continue;
      if (!thread.isNamed) thread.name = readProc(`${path}/comm`)?.trimEnd() ?? thread.name;
      thread.isNamed = earlier !== undefined;
      threads.set(id, { name: thread.name, cpuNs });
    }
    this.forget(before);
    if (after.size > 0) this.known.set(processId, after);
    else this.known.delete(processId);
    return threads;
  }

  /** Lets go of the processes that are no longer sampled. */
  keepOnly(processIds: ReadonlySet<number>): void {
    for (const [processId, threads] of this.known) {
      if (processIds.has(processId)) continue;
      this.forget(threads);
      this.known.delete(processId);
    }
  }

  close(): void {
    this.keepOnly(new Set());
  }

  private open(path: string): ProcNumberFile | null {
    if (this.files === this.limit) return null;
    const file = ProcNumberFile.open(`${path}/schedstat`);
    if (file) this.files += 1;
    return file;
  }

  private forget(threads: Map<string, KnownThread>): void {
    for (const { file } of threads.values()) {
      if (!file) continue;
      file.close();
      this.files -= 1;
    }
  }
}

/** The same thread in the look before; null if there was none, or one that had its number earlier. */
export function sameThread(before: ThreadTimes, id: string, cpuNs: number): ThreadTime | null {
  const known = before.get(id);
  return known && known.cpuNs <= cpuNs ? known : null;
}

function folderOf(processId: number): string {
  return `/proc/${processId}/task`;
}

function threadIds(processId: number): string[] {
  try {
    return readdirSync(folderOf(processId));
  } catch {
    return [];
  }
}
