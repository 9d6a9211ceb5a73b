import { badInput, type WhitelineError } from '../../protocol/errors';
import type { ConsoleFleet, RemoteMachine } from '../host-application';

/** Parameters that name machines. */
export type MachineField = 'sendOn' | 'receiveOn' | 'on';

/**
 * A run names a machine that is not there.
 * @param connected names of those that are
 */
export function noMachine(field: MachineField, name: string, connected: readonly string[]): WhitelineError {
  const there = connected.length === 0 ? 'No agent is connected.' : `Connected: ${connected.join(', ')}.`;
  const remedy = `${there} Start whiteline agent on that machine; whiteline fleet list shows all that are invited`;
  return badInput(field, 'a machine whose agent is connected', name, remedy);
}

/** @throws WhitelineError BAD_INPUT where no agent of this name is connected; LEASE_HELD */
export async function machineIn(
  fleet: Pick<ConsoleFleet, 'find' | 'names'> | undefined,
  field: MachineField,
  name: string,
): Promise<RemoteMachine> {
  const machine = (await fleet?.find(name)) ?? null;
  if (machine) return machine;
  throw noMachine(field, name, (await fleet?.names()) ?? []);
}
