import { ticksPerSecond } from '../engine/load/cpu';
import type { MachineBooks } from '../engine/machine/machine-books';
import type { SimulatedClock } from './simulated-clock';

const cores = 2;

/** Of a machine of two cores that are so busy, all of the time. */
export function madeUpBooks(
  clock: SimulatedClock,
  { busyPercent = 75, ...changes }: Partial<MachineBooks> & { busyPercent?: number } = {},
): MachineBooks {
  const cpu: MachineBooks['cpu'] = () => {
    const idleEach = ((1 - busyPercent / 100) * ticksPerSecond * clock.monotonicNs()) / 1e9;
    return { idle: cores * idleEach, steal: 0, cores, notBusyByCore: Array(cores).fill(idleEach) };
  };
  return {
    ...{ cores: () => cores, cpu, udpOverflows: () => 0, governors: () => [] },
    fleetServerId: () => null,
    look: () => ({
      ...{ atNs: clock.monotonicNs(), cpu: cpu(), interrupts: null, contextSwitches: null, processes: null },
      ...{ frequenciesMhz: [], throttles: null },
    }),
    ...changes,
  };
}
