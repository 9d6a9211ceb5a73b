import { machineClock } from '../engine/clock';
import { compareMachineCpu, type MachineCpu, readMachineCpu } from '../engine/load/cpu';
import { defaultMaxStealPercent, stolenText } from '../facts/steal-limit';

const lookEveryMs = 500;
const windowMs = 1000;

/** What a hypervisor took away in a second that ended then, in percent of all cores. */
interface StolenSecond {
  endedMs: number;
  percent: number;
}

/**
 * What the hypervisor takes of this machine's CPU while tests measure: from the same share in any second on as makes a
 * row INVALID, a test that fails says nothing about Whiteline. Where the system does not report it, nothing was taken.
 */
export class StolenCpu {
  private readonly seconds: StolenSecond[] = [];
  private readonly looks: { atMs: number; cpu: MachineCpu | null }[] = [];

  constructor(
    private readonly limitPercent = defaultMaxStealPercent,
    private readonly read = readMachineCpu,
  ) {
    this.look();
    setInterval(() => this.look(), lookEveryMs).unref();
  }

  now(): number {
    return machineClock.monotonicNs() / 1e6;
  }

  /** In words, where it was too much in one second since then; null otherwise. */
  since(startedMs: number): string | null {
    this.look();
    const percent = this.seconds
      .filter(({ endedMs }) => endedMs > startedMs)
      .reduce((most, second) => Math.max(most, second.percent), 0);
    if (percent <= this.limitPercent) return null;
    return `${stolenText(percent, this.limitPercent)} in one second of it (limit ${this.limitPercent} %)`;
  }

  private look(): void {
    const now = { atMs: this.now(), cpu: this.read() };
    const old = this.looks.filter(({ atMs }) => now.atMs - atMs >= windowMs);
    const before = old.at(-1);
    this.looks.push(now);
    if (!before) return;
    this.looks.splice(0, old.length - 1);
    const compared = compareMachineCpu(before.cpu, now.cpu, (now.atMs - before.atMs) / 1000);
    if (compared?.stealPercent != null)
      this.seconds.push({ endedMs: now.atMs, percent: compared.stealPercent });
  }
}
