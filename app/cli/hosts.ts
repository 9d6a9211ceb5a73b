import type { Option } from 'commander';
import type { Requirement } from '../engine/experiment/experiment';
import { checkFound, type FindHost, systemLookup } from '../engine/streams/found-host';
import { HostConnection } from '../engine/streams/host-connection';
import { ndiTransport } from '../engine/streams/ndi-candidates';
import { badInput, problemText } from '../protocol/errors';
import type { HostReady } from '../protocol/host';
import { machineClock } from '../protocol/machine-clock';
import { hostAndPortOf, hostOf } from '../protocol/network-address';
import { engineEnvironment } from '../protocol/shell';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { itemsOf, listOption } from './list-flag';

/**
 * One receiving host for as long as `action` needs it.
 * @param searchHosts asked for their sources directly, beside mDNS and this machine
 */
export async function withReceivingHost<Result>(
  action: (host: HostConnection, ready: HostReady) => Promise<Result>,
  searchHosts?: string[],
): Promise<Result> {
  const events = { onRecords: () => undefined, onDeath: () => undefined };
  const spawned = nodeApplication().spawnStreamHost('receiving');
  const host = new HostConnection('receiving', spawned, events, machineClock);
  try {
    const transport = ndiTransport(ndiPath(), appFolder);
    return await action(host, await host.start({ transport, searchHosts }, 0));
  } finally {
    void host.close();
  }
}

/** Whether NDI starts here; a host tries it once, however often that is asked. */
export function ndiRequirement(): Requirement {
  let found: Promise<string | null> | null = null;
  const find = (): Promise<string | null> =>
    withReceivingHost(async (_, { transportProblem: problem }) => problem && problemText(problem));
  return {
    name: 'NDI runtime',
    check: () => {
      found ??= find();
      return found;
    },
  };
}

/** Of every command that looks for sources. */
export function fromOption(): Option {
  return listOption('--from <hosts...>', 'asks these hosts directly too, for example 192.0.2.7,192.0.2.8');
}

/**
 * Hosts as `--from` takes them; without it, those that are set for this machine, which are not looked for.
 * @throws WhitelineError BAD_INPUT if one is not an address, or its name cannot be resolved
 */
export async function foundHosts(
  typed: readonly string[] | undefined,
  find: FindHost = systemLookup,
): Promise<string[]> {
  const hosts = [...(typed ?? itemsOf(process.env[engineEnvironment.searchHosts] ?? ''))];
  for (const host of hosts) hostOf(host, 'from');
  if (typed !== undefined) for (const host of hosts) await checkFound('from', host, host, find);
  return hosts;
}

/**
 * Where the senders of the first names listen, as their user typed it.
 * @throws WhitelineError BAD_INPUT for what is no host with a port, a host that cannot be found, or more addresses than names
 */
export async function foundAddresses(
  typed: readonly string[],
  names: readonly string[],
  find: FindHost = systemLookup,
): Promise<readonly string[]> {
  const excess = typed[names.length];
  if (excess !== undefined)
    throw badInput('address', 'one for each name at most', excess, 'Leave it out, or name its sender');
  for (const text of typed) await checkFound('address', hostAndPortOf(text, 'address').host, text, find);
  return typed;
}
