import { monotonicNs } from '../clock';
import { compareMachineCpu, readMachineCpu } from './cpu';
import type { OthersLoad } from './others-guard';
import { whyUnreadable } from './proc';

/** What other programs take while this one works, without a sampler: from here until it is read. */
export class OthersWatch {
  private readonly atNs = monotonicNs();
  private readonly machine = readMachineCpu();
  private readonly own = process.cpuUsage();

  read(): OthersLoad {
    const seconds = (monotonicNs() - this.atNs) / 1e9;
    const machine = readMachineCpu();
    const { user, system } = process.cpuUsage(this.own);
    const busy = compareMachineCpu(this.machine, machine, seconds);
    if (!busy || !machine) {
      const whyUnknown = whyUnreadable('/proc/stat') ?? 'cores were switched on or off meanwhile';
      return { percent: null, whyUnknown };
    }
    const ownPercent = (user + system) / 1e4 / seconds / machine.cores;
    return { percent: Math.max(0, busy.busyPercent - ownPercent), whyUnknown: null };
  }
}
