import { lookup } from 'node:dns/promises';
import type { Option } from 'commander';
import type { Requirement } from '../engine/experiment/experiment';
import type { HostRole } from '../engine/host-application';
import { ndiTransport } from '../engine/streams/ndi-candidates';
import { StreamHost } from '../engine/streams/stream-host';
import type { ContentWork } from '../engine/workbench';
import { badInput, problemText, WhitelineError } from '../protocol/errors';
import type { HostReady, RecordsMessage } from '../protocol/host';
import { hostAndPortOf, hostOf, isAddress } from '../protocol/network-address';
import { engineEnvironment } from '../protocol/shell';
import type { Standstill } from '../protocol/standstill';
import type { TransportSettings } from '../protocol/transports';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { itemsOf, listOption } from './list-flag';

type HostAction<Result> = (host: StreamHost, ready: HostReady) => Promise<Result>;

/**
 * One receiving host for as long as `action` needs it.
 * @param searchHosts asked for their sources directly, beside mDNS and this machine
 */
export function withReceivingHost<Result>(
  action: HostAction<Result>,
  searchHosts?: string[],
): Promise<Result> {
  return withHost('receiving', ndiTransport(ndiPath(), appFolder), action, { searchHosts });
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

/** Finds a host by its name, as the system does. */
export type FindHost = (name: string) => Promise<unknown>;

/** Of every command that looks for sources. */
export function fromOption(): Option {
  return listOption('--from <hosts...>', 'asks these hosts directly too, for example 192.0.2.7,192.0.2.8');
}

/**
 * Hosts as `--from` takes them; without it, those that are set for this machine, which are not looked for.
 * @throws WhitelineError BAD_INPUT where one is not an address, or its name cannot be resolved
 */
export async function foundHosts(
  typed: readonly string[] | undefined,
  find: FindHost = lookup,
): Promise<string[]> {
  const hosts = [...(typed ?? itemsOf(process.env[engineEnvironment.searchHosts] ?? ''))];
  for (const host of hosts) hostOf(host, 'from');
  if (typed !== undefined) for (const host of hosts) await checkFound('from', host, host, find);
  return hosts;
}

/**
 * Where a sender listens, as its user typed it.
 * @throws WhitelineError BAD_INPUT for what is no host with a port, or a host that cannot be found
 */
export async function foundAddress(text: string, find: FindHost = lookup): Promise<string> {
  const { host } = hostAndPortOf(text, 'address');
  await checkFound('address', host, text, find);
  return text;
}

async function checkFound(field: string, host: string, text: string, find: FindHost): Promise<void> {
  if (isAddress(host)) return;
  try {
    await find(host);
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    const expected = `a host that can be found (${host}: ${code})`;
    throw badInput(field, expected, text, 'Check the name and the DNS server, or give its address');
  }
}

const contentHosts = new Set<StreamHost>();
const contentStandstills: Standstill[] = [];

/** What a run knows of the hosts below. */
export const contentWork: ContentWork = {
  processIds: () => [...contentHosts].flatMap(({ processIds }) => processIds),
  takeStandstills: () => contentStandstills.splice(0),
};

/**
 * One host that inspects movies and makes clips, for as long as `action` needs it; NDI is not looked for.
 * @throws WhitelineError where the native addon cannot be loaded
 */
export function withContentHost<Result>(action: (host: StreamHost) => Promise<Result>): Promise<Result> {
  return withHost(
    'sending',
    { name: 'ndi', candidates: [] },
    (host, { addonProblem }) => {
      if (addonProblem) throw new WhitelineError(addonProblem);
      contentHosts.add(host);
      return action(host).finally(() => contentHosts.delete(host));
    },
    { name: 'content', onRecords: ({ standstills }) => contentStandstills.push(...standstills) },
  );
}

interface HostWith {
  /** What its process is called; default: by its role. */
  name?: 'content';
  searchHosts?: string[];
  onRecords?(message: RecordsMessage): void;
}

async function withHost<Result>(
  role: HostRole,
  transport: TransportSettings,
  action: HostAction<Result>,
  { name, searchHosts, onRecords = () => undefined }: HostWith,
): Promise<Result> {
  const host = new StreamHost(name ?? role, nodeApplication().spawnStreamHost(role), {
    onRecords,
    onDeath: () => undefined,
  });
  try {
    return await action(host, await host.start({ transport, searchHosts }, 0));
  } finally {
    void host.close();
  }
}
