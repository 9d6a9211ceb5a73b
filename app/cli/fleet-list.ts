import type { Command } from 'commander';
import { agentTable } from '../fleet/site/agent-table';
import { thisMachine } from '../fleet/site/hosts';
import { Site } from '../fleet/site/site';
import { exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { type FleetFlags, finishFleet, fleetFolder, folderOption } from './fleet-flags';
import { print, printJson } from './terminal';

interface ListFlags extends FleetFlags {
  json?: boolean;
}

/** Adds `whiteline fleet list`. */
export function addListCommand(fleet: Command): void {
  fleet
    .command('list')
    .description('Lists the agents that are invited')
    .addOption(folderOption())
    .option('--json', 'one JSON object per agent')
    .action(finishFleet(listCommand));
}

async function listCommand(flags: ListFlags): Promise<number> {
  const site = Site.open(fleetFolder(flags), { clock: machineClock, machine: thisMachine });
  const agents = site.agents.all();
  if (flags.json) for (const { id, name, invitedAt } of agents) printJson({ id, name, invitedAt });
  else if (agents.length === 0) print('No agent is invited. To invite one: whiteline fleet invite NAME');
  else print(...agentTable(agents, null));
  return exitCodes.pass;
}
