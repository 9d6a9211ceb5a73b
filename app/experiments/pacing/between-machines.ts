import { hostname } from 'node:os';
import type { ContextWith } from '../../engine/experiment/experiment';
import type { MachineOfRow } from '../../engine/experiment/machines-of-row';
import type { RemoteMachine } from '../../engine/host-application';
import { knownClock } from '../../engine/machines/known-clock';
import { ownAddresses } from '../../engine/machines/own-addresses';
import { here } from '../../engine/tools/namespace';
import { throwAll } from '../../protocol/all-wrong';
import { badInput, WhitelineError } from '../../protocol/errors';
import { type MachineName, thisMachine } from '../../protocol/stream-parameters';
import type { PacingParameters } from './declaration';
import type { EndNames } from './judgement';
import { machinesOf } from './machine-ends';
import type { Measuring } from './measure';
import { type PacerRole, pacerProgram } from './pacer-program';
import type { End, OpenPath } from './path';
import { reachedAddress } from './reached-address';
import type { StreamPlan } from './stream-plan';

/** Packets between two machines, at least one of them in the fleet. */

export type BetweenContext = Measuring & Pick<ContextWith<'machines'>, 'machines'>;

/** A UDP packet of Ethernet holds so much: AVTP in UDP has a number before it. */
const mostPacketBytes = 1500 - 20 - 8 - 4;

/** As rows and samples call its machine. */
function nameOf({ machine }: Pick<End, 'machine'>): string {
  return machine?.name ?? hostname();
}

/** What is known of them before the run. @throws WhitelineError BAD_INPUT naming the parameter, its value and the remedy */
export function checkBetween(
  parameters: PacingParameters,
  { packetBytes }: Pick<StreamPlan, 'packetBytes'>,
): void {
  const { sender, receiver } = machinesOf(parameters);
  const wrong = wrongOwn(parameters, sender !== undefined);
  if (sender === receiver)
    wrong.push(
      badInput(
        'receiveOn',
        'another machine than that which sends',
        receiver ?? thisMachine,
        'Run pacing on that machine by itself, or name another one',
      ),
    );
  if ([sender, receiver].includes(hostname()) && [sender, receiver].includes(undefined))
    wrong.push(
      badInput(
        sender === hostname() ? 'sendOn' : 'receiveOn',
        'another name than that of this machine',
        hostname(),
        'Invite that agent by another name',
      ),
    );
  if (packetBytes > mostPacketBytes)
    wrong.push(
      badInput(
        'channels',
        `packets of at most ${mostPacketBytes} bytes between machines`,
        `${packetBytes} bytes`,
        'Choose fewer channels or bits, or a shorter interval',
      ),
    );
  throwAll(wrong);
}

/** What is of this machine alone. */
function wrongOwn(parameters: PacingParameters, isSenderElsewhere: boolean): WhitelineError[] {
  const wrong: WhitelineError[] = [];
  const datagrams = 'Leave it out: between machines packets go by UDP';
  for (const field of ['interface', 'peerInterface', 'listenInterface', 'streamId'] as const)
    if (parameters[field] !== '')
      wrong.push(badInput(field, 'nothing beside machines of the fleet', parameters[field], datagrams));
  if (parameters.vlanId !== undefined)
    wrong.push(badInput('vlanId', 'no VLAN beside machines of the fleet', parameters.vlanId, datagrams));
  if (parameters.rawLog)
    wrong.push(
      badInput(
        'rawLog',
        'no raw log beside machines of the fleet',
        parameters.rawLog,
        'Leave it out: the receiver writes it on its own machine, by a clock of its own',
      ),
    );
  if (isSenderElsewhere && parameters.core !== undefined)
    wrong.push(
      badInput(
        'core',
        'no core of another machine',
        parameters.core,
        'Leave it out: its agent chooses how the sender runs',
      ),
    );
  return wrong;
}

/**
 * Takes the machines, and finds where the receiver is reached.
 * @throws WhitelineError REQUIREMENT_MISSING naming the machine and what it lacks; those of taking a machine
 */
export async function openBetween(parameters: PacingParameters, context: BetweenContext): Promise<OpenPath> {
  const { sender: from, receiver: to } = machinesOf(parameters);
  const take = async (field: 'sendOn' | 'receiveOn', name: MachineName): Promise<End> => {
    const machine = name === undefined ? undefined : await context.machines.take(field, name);
    return { interface: '', ...here, ...(machine && { machine }) };
  };
  const [sender, receiver] = [await take('sendOn', from), await take('receiveOn', to)];
  await Promise.all([ready('sender', sender, context), ready('receiver', receiver, context)]);
  const address = await reachedAddress(context, { parameters, sender, receiver, addressesOf });
  return {
    ...{ kind: 'machines', sender, receiver, address, streamHosts: null },
    carriedBytes: () => 0,
    close: async () => undefined,
  };
}

/** @throws WhitelineError REQUIREMENT_MISSING, HOST_DIED */
async function ready(role: PacerRole, { machine }: End, { clock }: BetweenContext): Promise<void> {
  if (!machine) return;
  const missing = await machine.helper.missing(pacerProgram(role, here));
  if (missing !== null)
    throw new WhitelineError({
      code: 'REQUIREMENT_MISSING',
      message: `${machine.name}: ${missing}`,
      ...{ field: 'requires', value: 'packet pacer' },
    });
  await knownClock(machine, clock);
}

function addressesOf({ machine }: End): readonly string[] {
  return machine?.addresses ?? ownAddresses();
}

/** As its row is opened; none: it is of this machine alone. */
export function machinesOfRow({ kind, sender, receiver }: OpenPath): MachineOfRow[] {
  if (kind !== 'machines') return [];
  const of = (end: End, side: 'sender' | 'receiver'): MachineOfRow => ({
    ...{ name: nameOf(end), remote: end.machine ?? null, column: { side, role: `pacer-${side}` } },
  });
  return [of(sender, 'sender'), of(receiver, 'receiver')];
}

/** Absent if both ends are here. */
export function endNames({ kind, sender, receiver }: OpenPath): EndNames | undefined {
  return kind === 'machines' ? { sender: nameOf(sender), receiver: nameOf(receiver) } : undefined;
}

/** The one of its machines that is gone; undefined: none is. */
export function lostMachine({ sender, receiver }: OpenPath): RemoteMachine | undefined {
  return [sender.machine, receiver.machine].find((machine) => (machine?.lost ?? null) !== null);
}
