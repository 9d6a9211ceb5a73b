import type { Command } from 'commander';
import { announceRegistry } from '../nmos/registry/announce-registry';
import { type RegistryOptions, startRegistry } from '../nmos/registry/registry';
import { peerAddress } from '../nmos/registry/replication/peer';
import { usualSystem } from '../nmos/registry/system-api';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes, problemText, toProblem } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { watchOwnStandstill } from '../standstill/own-standstill';
import { aborted, abortOnInterrupt } from './interrupt';
import { listOption } from './list-flag';
import { finishNmos, listenOption, logNmos, portOption, type ServerFlags } from './nmos-flags';
import { logStandstills } from './standstill-log';
import { print, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface RegistryFlags extends ServerFlags {
  expiry: string;
  heartbeat: string;
  ptpDomain: string;
  snapshot?: string;
  peer?: string[];
  announcedPriority: string;
  announce: boolean;
}

/** As in IS-04. */
const usualExpiry = '12s';

/** Adds `whiteline nmos registry`. */
export function addRegistryCommand(nmos: Command): void {
  nmos
    .command('registry')
    .description('Runs an IS-04 registry (v1.2 and v1.3) with the IS-09 System API until Ctrl-C')
    .addOption(listenOption())
    .addOption(portOption('8010'))
    .option('--expiry <duration>', 'how long the registry keeps a node without a heartbeat', usualExpiry)
    .option('--heartbeat <duration>', 'heartbeat interval that the System API tells nodes to use', '5s')
    .option('--ptp-domain <n>', 'PTP domain that the System API tells nodes to use', '127')
    .option('--label <text>', 'label of the system in the System API', 'Whiteline')
    .option('--snapshot <file>', 'keeps all resources over restarts in this file; default: in memory only')
    .addOption(
      listOption('--peer <urls...>', 'registries to replicate with; each must name this one as its peer'),
    )
    .option(
      '--announced-priority <n>',
      'announced priority: 0 is used first; 100 and above means development',
      '10',
    )
    .option('--no-announce', 'does not announce the registry by multicast DNS on the interfaces of --listen')
    .option('--json', 'the addresses as one JSON object')
    .action(finishNmos(registryCommand));
}

/** Refused requests and expired nodes go to standard error. */
async function registryCommand(flags: RegistryFlags): Promise<number> {
  const options = optionsOf(flags);
  const priority = wholeNumber(flags.announcedPriority, 'announcedPriority', 65_535);
  for (const peer of flags.peer ?? []) peerAddress(peer);
  const { signal } = abortOnInterrupt();
  const registry = await startRegistry({ ...options, clock: machineClock, log: logNmos });
  for (const peer of flags.peer ?? []) registry.addPeer(peer);
  const { origins } = registry.http;
  if (flags.json) printJson({ origins });
  else print(...sentences(origins));
  const own = watchOwnStandstill();
  const stopLog = logStandstills('registry', own, machineClock, logNmos);
  const withdraw = flags.announce ? await announce(flags.listen, registry.http.port, priority) : null;
  await aborted(signal);
  stopLog();
  own.close();
  await withdraw?.();
  await registry.close();
  return exitCodes.pass;
}

/** Without an announcement, the registry still serves nodes that know its URL. */
async function announce(
  hosts: readonly string[],
  port: number,
  priority: number,
): Promise<() => Promise<void>> {
  try {
    return await announceRegistry({ hosts, port, priority, clock: machineClock, log: logNmos });
  } catch (error) {
    logNmos(`The registry is not announced: ${problemText(toProblem(error))}`);
    return async () => undefined;
  }
}

/** @throws WhitelineError BAD_INPUT */
function optionsOf(flags: RegistryFlags): Omit<RegistryOptions, 'clock'> {
  const expirySeconds = parseDuration(flags.expiry, 'expiry');
  const heartbeatSeconds = parseDuration(flags.heartbeat, 'heartbeat');
  if (!Number.isInteger(heartbeatSeconds) || heartbeatSeconds < 1 || heartbeatSeconds > 1000)
    throw badInput('heartbeat', 'whole seconds from 1s to 1000s', flags.heartbeat);
  if (expirySeconds <= heartbeatSeconds && flags.expiry === usualExpiry)
    throw badInput(
      'heartbeat',
      `less than --expiry, which is ${usualExpiry},`,
      flags.heartbeat,
      `Give an --expiry of more than ${flags.heartbeat} too`,
    );
  if (expirySeconds <= heartbeatSeconds || expirySeconds > 86_400) {
    const expected = `more than the ${heartbeatSeconds} s between two heartbeats, and at most 24h,`;
    throw badInput('expiry', expected, flags.expiry, 'IS-04 has 12s with heartbeats of 5s');
  }
  return {
    ...{ hosts: flags.listen, port: wholeNumber(flags.port, 'port', 65_535), expirySeconds },
    ...(flags.snapshot !== undefined && { snapshot: flags.snapshot }),
    system: {
      ...usualSystem,
      ...{ heartbeatSeconds, label: flags.label, ptpDomain: wholeNumber(flags.ptpDomain, 'ptpDomain', 127) },
    },
  };
}

function sentences(origins: readonly string[]): string[] {
  return [
    ...origins.flatMap((origin) => [
      `Registration API  ${origin}/x-nmos/registration/`,
      `Query API         ${origin}/x-nmos/query/`,
      `System API        ${origin}/x-nmos/system/`,
    ]),
    'Ctrl-C ends it.',
  ];
}
