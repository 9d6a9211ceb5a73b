import { networkInterfaces } from 'node:os';
import type { MachineChange } from '../../protocol/load';
import { isLoopback } from './network';

/**
 * Which interfaces lost their link, or were taken down, and when they came back: the system lists those that are up, run and
 * have an address. Unlike /sys/class/net the list is that of the network namespace that this process is in.
 */
export class DownLinks {
  /** Null before the system listed any. */
  private up: ReadonlySet<string> | null = null;
  /** Why the newest look saw nothing; null if it did. */
  unreadable: string | null = null;
  /** Since when those are down that were up before, monotonic ns. */
  private readonly sinceNs = new Map<string, number>();

  constructor(private readonly namesUp = interfacesUp) {}

  /** A look that sees nothing is no change: the next one is compared with the one before it. */
  look(atNs: number): MachineChange[] {
    const up = this.read();
    if (!up) return [];
    const lost = [...(this.up ?? up)].filter((name) => !up.has(name));
    const back = [...this.sinceNs].filter(([name]) => up.has(name));
    this.up = up;
    for (const name of lost) this.sinceNs.set(name, atNs);
    for (const [name] of back) this.sinceNs.delete(name);
    return [
      ...lost.map((name): MachineChange => ({ atNs, code: 'link-down', data: { name } })),
      ...back.map(
        ([name, since]): MachineChange => ({
          ...{ atNs, code: 'link-up' },
          data: { name, seconds: (atNs - since) / 1e9 },
        }),
      ),
    ];
  }

  private read(): ReadonlySet<string> | null {
    try {
      const names = new Set(this.namesUp());
      this.unreadable = null;
      return names;
    } catch (error) {
      this.unreadable = `the system did not list its interfaces: ${(error as Error).message}`;
      return null;
    }
  }
}

function interfacesUp(): string[] {
  // A second address of an interface may have a label, "eth0:1".
  const names = Object.keys(networkInterfaces()).map((name) => name.replace(/:.*/, ''));
  return names.filter((name) => !isLoopback(name));
}
