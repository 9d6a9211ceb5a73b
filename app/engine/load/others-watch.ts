import type { Clock } from '../../protocol/clock';
import { compareMachineCpu, type MachineCpu, readMachineCpu } from './cpu';
import type { OthersLoad } from './others-guard';
import { whyUnreadable } from './proc';

/** The CPU time of this machine and of this process up to a moment. */
export interface CpuLook {
  atNs: number;
  /** Null: the system did not say it. */
  machine: MachineCpu | null;
  ownUs: number;
}

/** As it is now. */
export function lookAtCpu(clock: Pick<Clock, 'monotonicNs'>): CpuLook {
  const { user, system } = process.cpuUsage();
  return { atNs: clock.monotonicNs(), machine: readMachineCpu(), ownUs: user + system };
}

/** What other programs take while this one works, without a sampler: from here until it is read. */
export class OthersWatch {
  private readonly before: CpuLook;

  constructor(private readonly look: () => CpuLook) {
    this.before = look();
  }

  read(): OthersLoad {
    const { before } = this;
    const now = this.look();
    const seconds = (now.atNs - before.atNs) / 1e9;
    const busy = compareMachineCpu(before.machine, now.machine, seconds);
    if (!busy || !now.machine) {
      const whyUnknown = whyUnreadable('/proc/stat') ?? 'cores were switched on or off meanwhile';
      return { percent: null, whyUnknown };
    }
    const ownPercent = (now.ownUs - before.ownUs) / 1e4 / seconds / now.machine.cores;
    return { percent: Math.max(0, busy.busyPercent - ownPercent), whyUnknown: null };
  }
}
