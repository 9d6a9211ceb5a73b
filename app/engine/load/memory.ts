import { readFileSync } from 'node:fs';

const pageBytes = 4096;
const bytesPerMb = 1e6;

/** Memory that is in use and could not be given up, MB (10⁶ bytes): MemTotal − MemAvailable. */
export function readMemoryUsedMb(): number | null {
  try {
    const text = readFileSync('/proc/meminfo', 'latin1');
    const kilobytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]);
    const used = ((kilobytes('MemTotal') - kilobytes('MemAvailable')) * 1024) / bytesPerMb;
    return Number.isFinite(used) ? used : null;
  } catch {
    return null;
  }
}

/** Resident memory of a process in MB, or null when it is gone. */
export function readProcessMemoryMb(processId: number): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${processId}/statm`, 'latin1').split(' ')[1]);
    return Number.isFinite(pages) ? (pages * pageBytes) / bytesPerMb : null;
  } catch {
    return null;
  }
}
