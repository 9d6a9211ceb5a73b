import type { Command } from 'commander';
import { toolFailed } from '../engine/tools/tool-problem';
import { reachedAt, thisMachine } from '../fleet/site/hosts';
import { serverProgram } from '../fleet/site/nats-server';
import type { Site } from '../fleet/site/site';
import { startFleet } from '../fleet/site/start';
import { timedLog } from '../nmos/timed-log';
import { exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { type FleetFlags, finishFleet, fleetFolder, folderOption } from './fleet-flags';
import { aborted, abortOnInterrupt } from './interrupt';
import { print, printError } from './terminal';
import { wholeNumber } from './whole-number';

interface StartFlags extends FleetFlags {
  listen?: string;
  port?: string;
}

/** Adds `whiteline fleet start`. */
export function addStartCommand(fleet: Command): void {
  fleet
    .command('start')
    .description('Sets up the fleet of this user at the first start, and runs its server until Ctrl-C')
    .option(
      '--listen <address>',
      'address of this machine to listen on; default: as at the last start, at the first 0.0.0.0, which is all of IPv4',
    )
    .option('--port <n>', 'default: as at the last start, at the first 4222; 0 picks a free one')
    .addOption(folderOption())
    .action(finishFleet(startCommand));
}

/** What the server warns of goes to standard error. */
async function startCommand(flags: StartFlags): Promise<number> {
  const port = flags.port === undefined ? null : wholeNumber(flags.port, 'port', 65_535);
  const { signal } = abortOnInterrupt();
  const fleet = await startFleet({
    ...{ folder: fleetFolder(flags), listen: flags.listen ?? null, port },
    ...{ clock: machineClock, machine: thisMachine },
    log: timedLog((line) => printError(line), machineClock),
  });
  print(...sentences(fleet.site));
  const end = await Promise.race([fleet.ended, aborted(signal).then(() => null)]);
  if (end === null) await fleet.close();
  else if (end.exitCode === 0) print('The fleet was stopped.');
  else throw toolFailed(serverProgram, end.how, 'Start the fleet again');
  return exitCodes.pass;
}

function sentences({ settings: { listen, port }, agents, fingerprint }: Site): string[] {
  const count = agents.all().length;
  return [
    `The fleet is at port ${port} of ${reachedAt(listen, thisMachine()).join(', ')}`,
    `Fingerprint of its authority (SHA-256): ${fingerprint}`,
    `${count} ${count === 1 ? 'agent is' : 'agents are'} invited. To invite one: whiteline fleet invite NAME`,
    'Ctrl-C ends it.',
  ];
}
