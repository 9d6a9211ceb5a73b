import { numbersIn, readProc } from './proc';
import { windowsBooks } from './windows-books';

const pageBytes = 4096;
const bytesPerMb = 1e6;
/** Of /proc/meminfo: MemTotal, MemFree and MemAvailable come first. */
const linesWithSums = 3;

/** Memory that is in use and could not be given up, MB (10⁶ bytes): MemTotal − MemAvailable. */
export function readMemoryUsedMb(): number | null {
  const windows = windowsBooks();
  if (windows) return windows.memoryUsedMb();
  const lines = (readProc('/proc/meminfo') ?? '').split('\n', linesWithSums);
  const kilobytes = (name: string): number => {
    const line = lines.find((one) => one.startsWith(`${name}:`)) ?? '';
    return numbersIn(line)[0] ?? Number.NaN;
  };
  const used = ((kilobytes('MemTotal') - kilobytes('MemAvailable')) * 1024) / bytesPerMb;
  return Number.isFinite(used) ? used : null;
}

/** Resident memory of a process in MB, or null when it is gone. */
export function readProcessMemoryMb(processId: number): number | null {
  const windows = windowsBooks();
  if (windows) return windows.processMemoryMb(processId);
  const pages = Number(readProc(`/proc/${processId}/statm`)?.split(' ')[1]);
  return Number.isFinite(pages) ? (pages * pageBytes) / bytesPerMb : null;
}
