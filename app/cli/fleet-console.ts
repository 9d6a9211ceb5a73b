import { hostname } from 'node:os';
import { noMachine } from '../engine/machines/no-machine';
import { appVersion } from '../engine/sessions/environment';
import { connectBus } from '../fleet/bus/nats-bus';
import { NumberedChannel } from '../fleet/bus/numbered-channel';
import { Fleet } from '../fleet/console/fleet';
import { readJoinFile } from '../fleet/site/join-file';
import { siteFiles } from '../fleet/site/site';
import { machineClock } from '../protocol/machine-clock';
import type { EndPlaces } from '../protocol/stream-parameters';
import { appFolder } from './app-folder';
import { fleetFolder } from './fleet-flags';
import { printError } from './terminal';

/**
 * Connects to the fleet of this user, where a run names machines of it; null: it names none.
 * @throws WhitelineError where no fleet was started, its server does not answer, or a machine is not there or works for another console
 */
export async function openFleetFor({ sendOn, receiveOn }: EndPlaces): Promise<Fleet | null> {
  if (sendOn === undefined && receiveOn === undefined) return null;
  const bus = await connectBus(readJoinFile(siteFiles(fleetFolder({})).console), 'console', {
    clock: machineClock,
  });
  const fleet = new Fleet({
    ...{ bus, clock: machineClock, version: appVersion(appFolder), transport: 'ndi' },
    holder: `${hostname()}, process ${process.pid}`,
    openChannel: (sendOn, hearOn) => new NumberedChannel(bus, machineClock, { sendOn, hearOn }),
    onLost: (name, words) => printError(`whiteline: ${name}: the stream host there ${words}`),
  });
  try {
    if (sendOn !== undefined && !(await fleet.find(sendOn))) throw noMachine('sendOn', sendOn);
    if (receiveOn !== undefined && !(await fleet.find(receiveOn))) throw noMachine('receiveOn', receiveOn);
    return fleet;
  } catch (error) {
    await fleet.close();
    throw error;
  }
}
