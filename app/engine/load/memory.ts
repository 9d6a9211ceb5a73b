import { readProc } from './proc';

const pageBytes = 4096;
const bytesPerMb = 1e6;

/** Memory that is in use and could not be given up, MB (10⁶ bytes): MemTotal − MemAvailable. */
export function readMemoryUsedMb(): number | null {
  const text = readProc('/proc/meminfo') ?? '';
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
  const used = ((kilobytes('MemTotal') - kilobytes('MemAvailable')) * 1024) / bytesPerMb;
  return Number.isFinite(used) ? used : null;
}

/** Resident memory of a process in MB, or null when it is gone. */
export function readProcessMemoryMb(processId: number): number | null {
  const pages = Number(readProc(`/proc/${processId}/statm`)?.split(' ')[1]);
  return Number.isFinite(pages) ? (pages * pageBytes) / bytesPerMb : null;
}
