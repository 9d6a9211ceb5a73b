import { hostname } from 'node:os';
import { badInput } from '../../protocol/errors';
import { type MachineName, thisMachine } from '../../protocol/stream-parameters';
import type { MachineField } from './no-machine';

/**
 * A row knows its machines by name, so each name may occur once.
 * @throws WhitelineError BAD_INPUT
 */
export function refuseNamesake(field: MachineField, names: readonly MachineName[]): void {
  if (!names.includes(undefined) || !names.includes(hostname())) return;
  throw badInput(
    field,
    'each machine once',
    `${thisMachine} and ${hostname()}, which is its name too`,
    'Leave one of them out, or invite that agent by another name',
  );
}
