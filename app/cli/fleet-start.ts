import type { Command } from 'commander';
import { toolFailed } from '../engine/tools/tool-problem';
import { thisMachine } from '../fleet/site/hosts';
import { acceptAll, agentNamesOf, inviteAll, type JoinFileHere } from '../fleet/site/invite-all';
import { serverProgram } from '../fleet/site/nats-server';
import { routePortOf } from '../fleet/site/server-configuration';
import { runningServer } from '../fleet/site/server-process';
import { Site, siteFiles } from '../fleet/site/site';
import { startFleet } from '../fleet/site/start';
import { timedLog } from '../nmos/timed-log';
import { exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { agentCommand, type FleetFlags, finishFleet, fleetFolder, folderOption } from './fleet-flags';
import { aborted, abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { print, printError } from './terminal';
import { wholeNumber } from './whole-number';

interface StartFlags extends FleetFlags {
  invite?: readonly string[];
  listen?: string;
  port?: string;
  servers?: readonly string[];
}

/** Adds `whiteline fleet start`. */
export function addStartCommand(fleet: Command): void {
  fleet
    .command('start')
    .description('Sets up the fleet of this user at the first start, and runs its server until Ctrl-C')
    .option(
      '--listen <address>',
      'address of this machine to listen on; default: that of the last start; at the first start 0.0.0.0, which means every IPv4 address',
    )
    .addOption(
      listOption(
        '--invite <names...>',
        'machines to invite: writes NAME.join.json into this folder for each that has none; also works while the fleet runs',
      ),
    )
    .option('--port <n>', 'default: that of the last start; at the first start 4222; 0 picks a free one')
    .addOption(
      listOption(
        '--servers <hosts...>',
        'names or addresses of all machines that run the server of this fleet, this one included, each with a copy of its folder; default: those of the last start; at the first start only this machine',
      ),
    )
    .addOption(folderOption())
    .action(finishFleet(startCommand));
}

/** What the server warns of goes to standard error. */
async function startCommand(flags: StartFlags): Promise<number> {
  const port = flags.port === undefined ? null : wholeNumber(flags.port, 'port', 65_535);
  const names = agentNamesOf(flags.invite ?? []);
  if (
    names.length > 0 &&
    flags.listen === undefined &&
    flags.servers === undefined &&
    port === null &&
    (await inviteToRunning(flags, names))
  )
    return exitCodes.pass;
  const { signal } = abortOnInterrupt();
  const fleet = await startFleet({
    ...{ folder: fleetFolder(flags), listen: flags.listen ?? null, port, invite: names },
    servers: flags.servers ?? null,
    ...{ clock: machineClock, machine: thisMachine },
    log: timedLog((line) => printError(line), machineClock),
  });
  print(...sentences(fleet.site), ...inviteSentences(fleet.invited), 'Ctrl-C ends it.');
  const end = await Promise.race([fleet.ended, aborted(signal).then(() => null)]);
  if (end === null) await fleet.close();
  else if (end.exitCode === 0) print('The fleet was stopped.');
  else throw toolFailed(serverProgram, end.how, 'Start the fleet again');
  return exitCodes.pass;
}

function sentences({ settings, addresses, agents, fingerprint }: Site): string[] {
  const count = agents.all().length;
  const routePort = routePortOf(settings);
  return [
    `The fleet listens at port ${settings.port} of ${addresses.join(', ')}`,
    ...(routePort === null
      ? []
      : [`This is one of its ${addresses.length} servers, which reach each other at port ${routePort}`]),
    `Fingerprint of its authority (SHA-256): ${fingerprint}`,
    `${count} ${count === 1 ? 'agent is' : 'agents are'} invited. To invite one: whiteline fleet invite NAME`,
  ];
}

/** False: the fleet does not run. */
async function inviteToRunning(flags: StartFlags, names: readonly string[]): Promise<boolean> {
  const folder = fleetFolder(flags);
  const processId = runningServer(siteFiles(folder));
  if (processId === null) return false;
  const site = Site.open(folder, { clock: machineClock, machine: thisMachine });
  const invited = inviteAll(site, names, '.', machineClock);
  await acceptAll(site, names, machineClock);
  print(
    ...inviteSentences(invited),
    `The fleet is already running, as process ${processId}, and accepts them`,
  );
  return true;
}

const howWords = {
  new: 'is invited, with the join file',
  kept: 'was invited before, and keeps the join file',
  writtenAgain: 'was invited before, and its missing join file is written again:',
};

function inviteSentences(invited: readonly JoinFileHere[]): string[] {
  if (invited.length === 0) return [];
  return [
    ...invited.map(({ name, file, how }) => `${name} ${howWords[how]} ${file}`),
    'Copy each join file to its machine, as carefully as a password. There, in the folder of the file, run:',
    ...invited.map(({ name, file }) => `  ${name}: ${agentCommand(file)}`),
  ];
}
