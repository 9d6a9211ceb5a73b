import { badInput, type WhitelineError } from '../../protocol/errors';

/** A run names a machine that is not there. */
export function noMachine(field: 'sendOn' | 'receiveOn', name: string): WhitelineError {
  const remedy = 'Start `whiteline agent` there; `whiteline fleet list` shows whom this console has invited';
  return badInput(field, 'a machine whose agent is connected', name, remedy);
}
