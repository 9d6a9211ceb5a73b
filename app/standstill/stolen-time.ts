import { closeSync, openSync, readSync } from 'node:fs';

/** Of all processors, in ticks of 10 ms: user, nice, system, idle, iowait, irq, softirq, steal. */
const pattern = /^cpu +(?:\d+ ){7}(\d+)/;
const tickNs = 1e7;
const longest = 256;
const lookEveryNs = 1e9;

/** What a hypervisor takes. To look costs more than a wake: once a second, and where a standstill is to be explained. */
export class StolenTime {
  private stolenNs: number | null;
  private nextNs = 0;

  constructor(private readonly file = '/proc/stat') {
    this.stolenNs = this.read();
  }

  /** To be called at each wake. Since the look before, of a wake that was late; 0 if the system does not tell. */
  at(nowNs: number, isLate: boolean): number {
    if (!isLate && nowNs < this.nextNs) return 0;
    const before = this.stolenNs;
    this.stolenNs = this.read();
    this.nextNs = nowNs + lookEveryNs;
    return before === null || this.stolenNs === null ? 0 : this.stolenNs - before;
  }

  private read(): number | null {
    try {
      const file = openSync(this.file, 'r');
      const text = Buffer.alloc(longest);
      const length = readSync(file, text, 0, longest, 0);
      closeSync(file);
      const [, ticks] = pattern.exec(text.toString('latin1', 0, length)) ?? [];
      return ticks === undefined ? null : Number(ticks) * tickNs;
    } catch {
      return null;
    }
  }
}
