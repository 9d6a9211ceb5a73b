import { readFileSync } from 'node:fs';

/** Time of all cores since the start of the machine, in clock ticks. */
export interface MachineCpu {
  busy: number;
  steal: number;
  total: number;
}

/** Reads the first line of /proc/stat: user nice system idle iowait irq softirq steal (guest is within user). */
export function parseMachineCpu(procStat: string): MachineCpu {
  const line = procStat.slice(0, procStat.indexOf('\n'));
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = ticks;
  const busy = user + nice + system + irq + softIrq;
  return { busy, steal, total: busy + idle + ioWait + steal };
}

export function readMachineCpu(): MachineCpu | null {
  try {
    return parseMachineCpu(readFileSync('/proc/stat', 'latin1'));
  } catch {
    return null;
  }
}

/** CPU time of a process with all its threads, in clock ticks (1/100 s), or null when it is gone. */
export function readProcessTicks(processId: number): number | null {
  try {
    return parseProcessTicks(readFileSync(`/proc/${processId}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

/** utime + stime: fields 14 and 15, counted after the command's name, which may hold blanks and brackets. */
export function parseProcessTicks(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks : null;
}

/** Ticks per second of the figures in /proc, fixed by the kernel's interface. */
export const ticksPerSecond = 100;
