import { problemText } from '../../app/protocol/errors';
import { receiverNames, thisMachine } from '../../app/protocol/stream-parameters';
import { command, shell } from '../engine/connection';
import { type EndPlace, useSettings } from '../engine/source-settings';
import { useFleet } from './fleet-store';

/** What an operator does on this screen. */

/** Writes a join file where the operator chooses. */
export async function inviteMachine(isAgain: boolean): Promise<void> {
  const machine = useFleet.getState().name.trim();
  const file = await shell.chooseJoinFile(machine);
  if (file === null) return;
  const { problem, result } = await command({ name: 'inviteMachine', machine, grant: file.grant, isAgain });
  if (problem)
    useFleet.setState({
      invitation: null,
      refusal: { words: problemText(problem), isInvited: problem.code === 'NAME_IN_USE' },
    });
  else useFleet.setState({ name: '', refusal: null, invitation: { name: machine, made: result } });
}

/** The machines that have this part in the next streams; none: this one alone. */
export function inRole(
  end: EndPlace,
  settings: Pick<ReturnType<typeof useSettings.getState>, EndPlace>,
): string[] {
  return receiverNames(settings[end]);
}

/** One machine sends; several may receive, in the order in which they were chosen. */
export function giveRole(end: EndPlace, name: string): void {
  const before = inRole(end, useSettings.getState());
  if (before.includes(name)) return;
  useSettings.setState({ [end]: end === 'sendOn' ? name : [...before, name].join(',') });
}

export function takeRole(end: EndPlace, name: string): void {
  const left = inRole(end, useSettings.getState()).filter((one) => one !== name);
  const isHere = left.length === 0 || (left.length === 1 && left[0] === thisMachine);
  useSettings.setState({ [end]: isHere ? null : left.join(',') });
}
