import { badInput, type WhitelineError } from '../../protocol/errors';

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
