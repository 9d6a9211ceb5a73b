import { machineIn } from '../engine/machines/no-machine';
import { appVersion } from '../engine/sessions/environment';
import { OwnFleet } from '../fleet/console/own-fleet';
import { machineClock } from '../protocol/machine-clock';
import { parseSource, type SourceSettings } from '../protocol/source-spec';
import { machinesNamed, placesOf, receiversOf, thisMachine } from '../protocol/stream-parameters';
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
 * Takes the machines that a run names, before anything of the run is recorded.
 * @param sources what is played
 * @throws WhitelineError if a machine is not there, works for another console, or has no such movie
 */
export async function takeMachines(
  fleet: OwnFleet,
  parameters: Readonly<Record<string, unknown>>,
  sources: readonly SourceSettings[] = [],
): Promise<void> {
  const places = placesOf(parameters);
  const { sendOn } = places;
  if (sendOn !== undefined && sendOn !== thisMachine) {
    const machine = await machineIn(fleet, 'sendOn', sendOn);
    const movies = sources.filter(({ source }) => parseSource(source).kind === 'movie');
    for (const movie of movies) await machine.chooseSource(movie);
  }
  for (const name of receiversOf(places)) if (name !== undefined) await machineIn(fleet, 'receiveOn', name);
  if (typeof parameters.on !== 'string') return;
  for (const name of machinesNamed(parameters.on)) if (name !== undefined) await machineIn(fleet, 'on', name);
}
