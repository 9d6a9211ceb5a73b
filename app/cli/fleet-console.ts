import { hostname } from 'node:os';
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
 * @throws WhitelineError where no fleet was started, or its server does not answer
 */
export async function openFleetFor({ sendOn, receiveOn }: EndPlaces): Promise<Fleet | null> {
  if (sendOn === undefined && receiveOn === undefined) return null;
  const bus = await connectBus(readJoinFile(siteFiles(fleetFolder({})).console), 'console', {
    clock: machineClock,
  });
  return new Fleet({
    ...{ bus, clock: machineClock, version: appVersion(appFolder), transport: 'ndi' },
    holder: `${hostname()}, process ${process.pid}`,
    openChannel: (sendOn, hearOn) => new NumberedChannel(bus, machineClock, { sendOn, hearOn }),
    onLost: (name, words) => printError(`whiteline: ${name}: the stream host there ${words}`),
  });
}
