import { readdirSync, readlinkSync } from 'node:fs';

/** As the kernel names the network namespace of a process; null: it is gone. */
export function networkOf(processId: string): string | null {
  try {
    return readlinkSync(`/proc/${processId}/ns/net`);
  } catch {
    return null;
  }
}

/** Processes in these namespaces. The kernel keeps one as long as a process is in it. */
export function holdersOf(networks: readonly (string | null)[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => networks.includes(networkOf(name) ?? 'none'));
}
