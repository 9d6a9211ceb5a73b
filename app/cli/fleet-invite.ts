import type { Command } from 'commander';
import { thisMachine } from '../fleet/site/hosts';
import { type Invitation, invite } from '../fleet/site/invite';
import { exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { agentCommand, type FleetFlags, finishFleet, fleetFolder, folderOption } from './fleet-flags';
import { print } from './terminal';

interface InviteFlags extends FleetFlags {
  address?: string;
  output?: string;
  force?: boolean;
}

/** Adds `whiteline fleet invite`. */
export function addInviteCommand(fleet: Command): void {
  fleet
    .command('invite <name>')
    .description('Lets an agent join the fleet, and writes the join file for its machine')
    .option(
      '--address <host>',
      'name or address at which the other machine reaches this one; default: all addresses on which the fleet listens',
    )
    .option('--output <file>', 'the join file; default: NAME.join.json in this folder')
    .option('--force', 'gives an agent that is already invited a new secret, and overwrites its join file')
    .addOption(folderOption())
    .action(finishFleet(inviteCommand));
}

async function inviteCommand(name: string, flags: InviteFlags): Promise<number> {
  const { address = null, output = null, force = false } = flags;
  const invitation = await invite({
    ...{ folder: fleetFolder(flags), name, address, output, force },
    ...{ clock: machineClock, machine: thisMachine },
  });
  print(...sentences(name, invitation));
  return exitCodes.pass;
}

function sentences(name: string, { join, file, isAccepted }: Invitation): string[] {
  return [
    `${name} is invited, with the join file ${file}`,
    'Copy this file to that machine. Anyone who has it can join in its place.',
    `That machine reaches the fleet at ${join.servers.join(' or ')}`,
    `Run there: ${agentCommand(file)}`,
    ...(isAccepted ? [] : ['The fleet is not running. To start it: whiteline fleet start']),
  ];
}
