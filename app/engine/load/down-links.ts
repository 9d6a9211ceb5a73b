import { networkInterfaces } from 'node:os';
import type { MachineChange } from '../../protocol/load';
import { isLoopback } from './network';

/**
 * Which interfaces lost their link, or were taken down, and when they came back: the system lists those that are up, run and
 * have an address. Unlike /sys/class/net the list is that of the network namespace that this process is in.
 */
export class DownLinks {
  private up = new Set<string>();
  /** Since when those are down that were up before, monotonic ns. */
  private readonly sinceNs = new Map<string, number>();

  constructor(private readonly namesUp = interfacesUp) {}

  look(atNs: number): MachineChange[] {
    const before = this.up;
    this.up = new Set(this.namesUp());
    const lost = [...before].filter((name) => !this.up.has(name));
    const back = [...this.sinceNs].filter(([name]) => this.up.has(name));
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
}

function interfacesUp(): string[] {
  // A second address of an interface may have a label, "eth0:1".
  const names = Object.keys(networkInterfaces()).map((name) => name.replace(/:.*/, ''));
  return names.filter((name) => !isLoopback(name));
}
