import type { RemoteMachine } from '../engine/host-application';
import { noMachine } from '../engine/machines/no-machine';
import { appVersion } from '../engine/sessions/environment';
import { OwnFleet } from '../fleet/console/own-fleet';
import { machineClock } from '../protocol/machine-clock';
import { parseSource, type SourceSettings } from '../protocol/source-spec';
import { type EndPlaces, receiversOf } from '../protocol/stream-parameters';
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
 * @param sources what is played
 * @throws WhitelineError where one of them is not there, works for another console, or has no such movie
 */
export async function takeMachines(
  fleet: OwnFleet,
  places: EndPlaces,
  sources: readonly SourceSettings[] = [],
): Promise<void> {
  const take = async (field: 'sendOn' | 'receiveOn', name: string): Promise<RemoteMachine> => {
    const machine = await fleet.find(name);
    if (machine) return machine;
    throw noMachine(field, name, await fleet.names());
  };
  const { sendOn } = places;
  if (sendOn !== undefined) {
    const machine = await take('sendOn', sendOn);
    const movies = sources.filter(({ source }) => parseSource(source).kind === 'movie');
    for (const movie of movies) await machine.chooseSource(movie);
  }
  for (const name of receiversOf(places)) if (name !== undefined) await take('receiveOn', name);
}
