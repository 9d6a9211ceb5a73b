import { compareMachineCpu, ticksPerSecond } from '../../engine/load/cpu';
import type { MachineLook } from '../../engine/machine/machine-look';
import { ProgramTimes } from './program-times';

/** What went on beside the thread; null: not measured. */
export interface MachineUse {
  /** Shares of all cores. */
  othersPercent: number | null;
  /** Other programs that took any time, and their processes, the busiest first. */
  programs: { name: string; percent: number; processIds: number[] }[] | null;
  cores: number;
  interruptsPerSecond: number | null;
  contextSwitchesPerSecond: number | null;
  frequencyMhz: number | null;
  slowestFrequencyMhz: number | null;
  throttles: number | null;
}

/** Adds up samples of the machine, from the first to the newest. */
export class MachineWatch {
  private readonly programs: ProgramTimes;
  private readonly frequencies = { sumMhz: 0, count: 0, leastMhz: Number.POSITIVE_INFINITY };
  private newest: MachineLook;

  constructor(
    private readonly first: MachineLook,
    private readonly ownProcessIds: () => readonly number[],
    fleetServerId: number | null = null,
  ) {
    this.programs = new ProgramTimes(fleetServerId);
    this.newest = first;
    this.add(first);
  }

  add(look: MachineLook): void {
    this.newest = look;
    if (look.processes) this.programs.add(look.processes, this.ownProcessIds());
    for (const mhz of look.frequenciesMhz) {
      this.frequencies.sumMhz += mhz;
      this.frequencies.count += 1;
      this.frequencies.leastMhz = Math.min(this.frequencies.leastMhz, mhz);
    }
  }

  use(): MachineUse {
    const { first, newest, programs, frequencies } = this;
    const seconds = (newest.atNs - first.atNs) / 1e9;
    const cores = newest.cpu?.cores ?? 1;
    const percentOf = (ticks: number): number => (100 * ticks) / ticksPerSecond / seconds / cores;
    const busy = compareMachineCpu(first.cpu, newest.cpu, seconds);
    const isKnown = newest.processes !== null && seconds > 0;
    const rise = (counter: 'interrupts' | 'contextSwitches' | 'throttles'): number | null => {
      const [before, now] = [first[counter], newest[counter]];
      return before === null || now === null ? null : now - before;
    };
    const perSecond = (counter: 'interrupts' | 'contextSwitches'): number | null => {
      const times = rise(counter);
      return times === null ? null : times / seconds;
    };
    return {
      othersPercent: isKnown && busy ? Math.max(0, busy.busyPercent - percentOf(programs.ownTicks)) : null,
      programs: isKnown
        ? programs.busiest().map(({ ticks, ...program }) => ({ ...program, percent: percentOf(ticks) }))
        : null,
      cores,
      interruptsPerSecond: perSecond('interrupts'),
      contextSwitchesPerSecond: perSecond('contextSwitches'),
      frequencyMhz: frequencies.count > 0 ? frequencies.sumMhz / frequencies.count : null,
      slowestFrequencyMhz: frequencies.count > 0 ? frequencies.leastMhz : null,
      throttles: rise('throttles'),
    };
  }
}
