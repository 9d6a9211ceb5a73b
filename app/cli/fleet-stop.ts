import type { Command } from 'commander';
import { stopServer } from '../fleet/site/server-process';
import { siteFiles } from '../fleet/site/site';
import { exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { type FleetFlags, finishFleet, fleetFolder, folderOption } from './fleet-flags';
import { print } from './terminal';

/** Adds `whiteline fleet stop`. */
export function addStopCommand(fleet: Command): void {
  fleet
    .command('stop')
    .description("Ends the fleet's server; the invited agents stay invited")
    .addOption(folderOption())
    .action(finishFleet(stopCommand));
}

async function stopCommand(flags: FleetFlags): Promise<number> {
  const folder = fleetFolder(flags);
  const processId = await stopServer(siteFiles(folder), machineClock);
  print(
    processId === null
      ? `No fleet of ${folder} is running`
      : `The fleet of ${folder} was stopped (process ${processId})`,
  );
  return exitCodes.pass;
}
