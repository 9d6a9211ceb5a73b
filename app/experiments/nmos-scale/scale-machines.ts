import { hostname } from 'node:os';
import type { ContextWith } from '../../engine/experiment/experiment';
import type { RemoteMachine } from '../../engine/host-application';
import { addressTowards } from '../../engine/machines/address-towards';
import { knownClock } from '../../engine/machines/known-clock';
import { here } from '../../engine/tools/namespace';
import { isLoopback } from '../../nmos/interfaces';
import type { Clock } from '../../protocol/clock';
import { badInput, WhitelineError } from '../../protocol/errors';
import { type MachineName, machinesNamed, thisMachine } from '../../protocol/stream-parameters';
import type { NmosScaleParameters } from './declaration';
import { nodesProgram } from './programs';

/** How many addresses of a machine are tried: it may have many cards. */
const mostAddresses = 16;

/** The machines on which the nodes run, in their order; without a name, this one. */
export function nodeMachines({ on }: Pick<NmosScaleParameters, 'on'>): readonly MachineName[] {
  return on === undefined ? [undefined] : machinesNamed(on);
}

/** Nodes run on other machines than this one. */
export function isElsewhere(parameters: Pick<NmosScaleParameters, 'on'>): boolean {
  return nodeMachines(parameters).some((name) => name !== undefined);
}

/** "render-1, display-1 and this machine", as lists have them. */
export function machinesText(parameters: Pick<NmosScaleParameters, 'on'>): string {
  return nodeMachines(parameters)
    .map((name) => name ?? thisMachine)
    .join(', ');
}

/** In a row: machines are told apart by their names. */
export function nameOf(machine: RemoteMachine | null): string {
  return machine?.name ?? hostname();
}

/**
 * Leases the machines on which the nodes run, in their order; null: this one.
 * @throws WhitelineError with the name of the first that is not there, or lacks the program
 */
export async function takeMachines(
  parameters: Pick<NmosScaleParameters, 'on'>,
  context: ContextWith<'machines'>,
): Promise<(RemoteMachine | null)[]> {
  const machines: (RemoteMachine | null)[] = [];
  for (const name of nodeMachines(parameters))
    machines.push(name === undefined ? null : await context.machines.take('on', name));
  for (const machine of machines) if (machine) await refuseUnready(machine, context.clock);
  return machines;
}

async function refuseUnready(machine: RemoteMachine, clock: Clock): Promise<void> {
  const { name } = machine;
  const missing = await machine.helper.missing(nodesProgram(here));
  if (missing !== null)
    throw new WhitelineError({
      ...{ code: 'REQUIREMENT_MISSING', message: `${name}: ${missing}`, field: 'on', value: name },
    });
  await knownClock(machine, clock);
}

/**
 * Addresses of this machine on the ways to these, at which a registry of our own can be reached from them.
 * @throws WhitelineError BAD_INPUT naming one to which no way leads
 */
export async function hostsTowards(machines: readonly RemoteMachine[]): Promise<string[]> {
  const hosts = new Set<string>();
  for (const { name, addresses } of machines) {
    const found = await Promise.all(addresses.slice(0, mostAddresses).map(addressTowards));
    const usable = found.filter((address) => address !== null).filter((address) => !isLoopback(address));
    if (usable.length === 0)
      throw badInput(
        'on',
        'machines to which a network of this one leads, so that their nodes reach the registry here,',
        name,
        `Its addresses: ${addresses.slice(0, mostAddresses).join(', ') || 'none'}. Connect both machines to one network`,
      );
    for (const address of usable) hosts.add(address);
  }
  return [...hosts];
}
