/** What distinguishes the rows of a run, besides their streams. */
export interface NamedTransport {
  asked: string;
  /** Where there are several runtimes: which of them, from 1 on; otherwise null. */
  runtimeNumber: number | null;
  /** As the library says it. */
  version: string;
}

/** "rudp", or "rudp, runtime 2 (6.3.2.0)": of a library's version only the number. */
export function transportName({ asked, runtimeNumber, version }: NamedTransport): string {
  if (runtimeNumber === null) return asked;
  return `${asked}, runtime ${runtimeNumber} (${/[\d.]+$/.exec(version)?.[0] ?? version})`;
}
