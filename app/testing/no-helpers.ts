import type { MachineHelpers } from '../engine/host-application';

/** Of a machine whose agent starts no helper programs. */
export const noHelpers: MachineHelpers = {
  died: [],
  missing: async () => 'It has no helper programs',
  start: () => Promise.reject(new Error('it has no helper programs')),
};
