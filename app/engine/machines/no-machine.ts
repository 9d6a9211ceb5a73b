import { badInput, type WhitelineError } from '../../protocol/errors';
import { receiverNames, thisMachine } from '../../protocol/stream-parameters';
import type { MachineCheck } from '../experiment/machine-check';
import type { ConsoleFleet, RemoteMachine } from '../host-application';

/** Parameters that name machines. */
const machineFields = ['sendOn', 'receiveOn', 'on'] as const;
export type MachineField = (typeof machineFields)[number];

/**
 * A run names a machine that is not there.
 * @param connected names of those that are
 */
export function noMachine(field: MachineField, name: string, connected: readonly string[]): WhitelineError {
  const there = connected.length === 0 ? 'No agent is connected.' : `Connected: ${connected.join(', ')}.`;
  const remedy = `${there} Start whiteline agent on that machine; whiteline fleet list shows all that are invited`;
  return badInput(field, 'a machine whose agent is connected', name, remedy);
}

/** @throws WhitelineError BAD_INPUT if no agent of this name is connected; LEASE_HELD */
export async function machineIn(
  fleet: Pick<ConsoleFleet, 'find' | 'names'> | undefined,
  field: MachineField,
  name: string,
): Promise<RemoteMachine> {
  const machine = (await fleet?.find(name)) ?? null;
  if (machine) return machine;
  throw noMachine(field, name, (await fleet?.names()) ?? []);
}

/** Whether the machines that parameters name are there. @param connected names of those whose agents are */
export function machineNameChecks(connected: readonly string[]): MachineCheck[] {
  return machineFields.map((field) => ({
    fields: [field],
    ask: async ({ [field]: named }) => {
      const names = receiverNames(typeof named === 'string' ? named : null);
      const absent = names.find((name) => name !== thisMachine && !connected.includes(name));
      if (absent !== undefined) throw noMachine(field, absent, connected);
    },
  }));
}
