import { type MachineField, noMachine } from '../engine/machines/no-machine';
import { appVersion } from '../engine/sessions/environment';
import { OwnFleet } from '../fleet/console/own-fleet';
import { machineClock } from '../protocol/machine-clock';
import { machinesNamed, placesOf, receiversOf } from '../protocol/stream-parameters';
import { appFolder } from './app-folder';
import { fleetFolder } from './fleet-flags';
import { printError } from './terminal';

/** The fleet of this user. */
export function ownFleet(): OwnFleet {
  return new OwnFleet({
    ...{ folder: fleetFolder({}), clock: machineClock, version: appVersion(appFolder) },
    onLost: (name, words) => printError(`whiteline: ${name} ${words}`),
  });
}

/**
 * Takes the machines that a run names, before anything of it is recorded.
 * @throws WhitelineError where one of them is not there, or works for another console
 */
export async function takeMachines(
  fleet: OwnFleet,
  parameters: Readonly<Record<string, unknown>>,
): Promise<void> {
  const take = async (field: MachineField, name: string): Promise<void> => {
    if (!(await fleet.find(name))) throw noMachine(field, name, await fleet.names());
  };
  const places = placesOf(parameters);
  const { sendOn } = places;
  if (sendOn !== undefined) await take('sendOn', sendOn);
  for (const name of receiversOf(places)) if (name !== undefined) await take('receiveOn', name);
  if (typeof parameters.on !== 'string') return;
  for (const name of machinesNamed(parameters.on)) if (name !== undefined) await take('on', name);
}
