import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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

/** What a file in /proc says of each thread of a process, by thread id; without the threads that end meanwhile. */
export function threadTexts(processId: number, file: 'comm' | 'status'): Map<string, string> {
  const folder = `/proc/${processId}/task`;
  return new Map(
    readdirSync(folder).flatMap((id): [string, string][] => {
      try {
        return [[id, readFileSync(`${folder}/${id}/${file}`, 'latin1').trim()]];
      } catch {
        return [];
      }
    }),
  );
}

/** A letter of proc(5), "T" for one that was stopped; empty: it is gone. */
export function processState(processId: number): string {
  try {
    const facts = readFileSync(`/proc/${processId}/stat`, 'latin1');
    return facts.charAt(facts.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}
