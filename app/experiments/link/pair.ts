import { badInput } from '../../protocol/errors';
import { type MachineName, thisMachine } from '../../protocol/stream-parameters';
import { type LinkParameters, linkParameters } from './declaration';

/** The two machines of a link in a fleet: `sendOn` calls the iperf3 server of `receiveOn`. */
export interface Pair {
  sendOn: MachineName;
  receiveOn: MachineName;
}

/** Null: no machine is named, and the other end is a host that is no agent. */
export function pairOf({ sendOn, receiveOn }: Pick<LinkParameters, 'sendOn' | 'receiveOn'>): Pair | null {
  if (sendOn === undefined && receiveOn === undefined) return null;
  const named = (name: string | undefined): MachineName => (name === thisMachine ? undefined : name);
  return { sendOn: named(sendOn), receiveOn: named(receiveOn) };
}

/** @throws WhitelineError BAD_INPUT for one machine alone, and for parameters of another host */
export function checkPair({ sendOn, receiveOn }: Pair, parameters: LinkParameters): void {
  if (sendOn === receiveOn)
    throw badInput(
      'receiveOn',
      'another machine than that which sends',
      receiveOn ?? thisMachine,
      'Name two machines of the fleet; one of them may be this machine. Without both, this machine alone is measured',
    );
  const defaults = linkParameters.parse({});
  for (const field of ['host', 'port', 'otherHost'] as const) {
    const value = parameters[field];
    if (value === undefined || value === defaults[field]) continue;
    throw badInput(
      field,
      'no host beside machines of the fleet, which find each other,',
      value,
      'Leave it out, or leave out --send-on and --receive-on',
    );
  }
}

export function machineText(machine: MachineName): string {
  return machine ?? thisMachine;
}

/** "between render-1 and display-1" */
export function betweenText({ sendOn, receiveOn }: Pair): string {
  return `between ${machineText(sendOn)} and ${machineText(receiveOn)}`;
}
