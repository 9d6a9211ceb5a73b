import { readdirSync, readlinkSync } from 'node:fs';

/** What the open files of a process are, as the links in /proc name them (proc(5)); '' for one that was closed meanwhile. */
export function openFilesOf(processId: number): string[] {
  return readdirSync(`/proc/${processId}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${processId}/fd/${name}`);
    } catch {
      return '';
    }
  });
}
