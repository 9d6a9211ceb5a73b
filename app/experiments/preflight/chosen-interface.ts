import { lookup } from 'node:dns';
import { promisify } from 'node:util';
import { z } from 'zod';
import { askTool, parseToolJson, readText } from '../../engine/machine/facts';
import { interfaceNames } from '../../engine/machine/interfaces';
import { isAddressHere } from '../../engine/tools/leads-here';
import { badInput, WhitelineError } from '../../protocol/errors';
import { safeParse } from '../../protocol/safe-parse';
import type { PreflightParameters } from './declaration';

/**
 * Address of the other machine; null if none is named, and where that is this machine: the way to it is loopback, which does not
 * use the network.
 * @throws WhitelineError BAD_INPUT for an unknown name
 */
export async function otherAddressOf({ host }: Pick<PreflightParameters, 'host'>): Promise<string | null> {
  if (host === undefined) return null;
  const { address } = await promisify(lookup)(host).catch(() => {
    throw badInput('host', 'a host that can be found', host, 'Check the name, or give its address');
  });
  return isAddressHere(address) ? null : address;
}

const routes = z.array(z.object({ dev: z.string() }));

/** The interface that is asked for, or the one towards the other host, or the one of the default route, or any but loopback. */
export async function chooseInterface(
  { interface: asked }: Pick<PreflightParameters, 'interface'>,
  hostAddress: string | null,
): Promise<string> {
  const names = interfaceNames();
  if (asked !== undefined) {
    if (names.length === 0 || names.includes(asked)) return asked;
    const known = `one of ${names.join(', ')}`;
    throw badInput('interface', known, asked, 'See ip -brief link for those of this machine');
  }
  const towards = hostAddress === null ? null : await interfaceTowards(hostAddress);
  const chosen = towards ?? defaultInterface(readText('/proc/net/route') ?? '');
  return chosen ?? names.find((name) => name !== 'lo') ?? 'lo';
}

/** Null if the system cannot be asked. */
async function interfaceTowards(address: string): Promise<string | null> {
  try {
    const parsed = safeParse(
      routes,
      parseToolJson('ip', await askTool('ip', '-json', 'route', 'get', address)),
    );
    return parsed.success ? (parsed.data[0]?.dev ?? null) : null;
  } catch (error) {
    if (error instanceof WhitelineError && error.code === 'ABORTED') throw error;
    return null;
  }
}

/** Of /proc/net/route: the interface whose destination and mask are 0; null if none is. */
export function defaultInterface(procNetRoute: string): string | null {
  for (const line of procNetRoute.split('\n').slice(1)) {
    const [name, destination, , , , , , mask] = line.trim().split(/\s+/);
    if (name && destination === '00000000' && mask === '00000000') return name;
  }
  return null;
}
