import { type MachineName, thisMachine } from '../../protocol/stream-parameters';
import type { PacingParameters } from './declaration';

/** The machines of the two ends, undefined: this one. */
export interface MachineEnds {
  sender: MachineName;
  receiver: MachineName;
}

type Places = Pick<PacingParameters, 'sendOn' | 'receiveOn'>;

export function machinesOf({ sendOn, receiveOn }: Places): MachineEnds {
  const named = (name: string | undefined): MachineName => (name === thisMachine ? undefined : name);
  return { sender: named(sendOn), receiver: named(receiveOn) };
}

/** One of the ends is on another machine. */
export function isBetween(places: Places): boolean {
  return Object.values(machinesOf(places)).some((name) => name !== undefined);
}

/** The same as parameters of streams have them. */
export function placesOf(places: Places): Places {
  const { sender: sendOn, receiver: receiveOn } = machinesOf(places);
  return { ...(sendOn !== undefined && { sendOn }), ...(receiveOn !== undefined && { receiveOn }) };
}
