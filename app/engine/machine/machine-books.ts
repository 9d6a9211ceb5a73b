import { cpus } from 'node:os';
import type { Clock } from '../../protocol/clock';
import { type MachineCpu, readMachineCpu } from '../load/cpu';
import { readUdpOverflows } from '../load/network';
import { NotKnown } from './facts';
import { lookAtMachine, type MachineLook } from './machine-look';
import { readGovernors } from './power';

/** What the system says of this machine at this moment, beside its load samples; null: it does not say it. */
export interface MachineBooks {
  /** That are switched on. */
  cores(): number;
  cpu(): MachineCpu | null;
  /** UDP datagrams that were thrown away since the start of the machine, since a socket’s buffer was full. */
  udpOverflows(): number | null;
  look(clock: Pick<Clock, 'monotonicNs'>): MachineLook;
  /** Of the processors’ frequency, each once; none if the kernel does not set it. */
  governors(): string[];
  /** Process id of the server of this user's fleet; null: none runs here. */
  fleetServerId(): number | null;
}

/** Node counts none if it can open no file: then the last count stands. */
export function lastCounted(count: () => number): () => number {
  let last = count();
  return () => {
    last = count() || last;
    return last;
  };
}

export const machineBooks: MachineBooks = {
  cores: lastCounted(() => cpus().length),
  cpu: readMachineCpu,
  udpOverflows: readUdpOverflows,
  look: lookAtMachine,
  fleetServerId: () => null,
  governors() {
    try {
      return readGovernors();
    } catch (error) {
      if (error instanceof NotKnown) return [];
      throw error;
    }
  },
};
