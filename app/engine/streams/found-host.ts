import { lookup } from 'node:dns/promises';
import { badInput } from '../../protocol/errors';
import { hostAndPortOf, hostOf, isAddress } from '../../protocol/network-address';

/** Finds a host by its name, as the system does. */
export type FindHost = (name: string) => Promise<unknown>;

export const systemLookup: FindHost = lookup;

/**
 * A sender's machine, or one sender of it: "192.0.2.7", "render-pc:5961".
 * @throws WhitelineError BAD_INPUT for what is neither, or a host that cannot be found
 */
export async function senderPlaceOf(
  text: string,
  find: FindHost = systemLookup,
): Promise<{ host: string; hasPort: boolean }> {
  const hasPort = /^(\[[^/]*\]|[^:/]*):[^:/]*$/.test(text);
  const host = hasPort ? hostAndPortOf(text, 'address').host : hostOf(text, 'address');
  await checkFound('address', host, text, find);
  return { host, hasPort };
}

/** @throws WhitelineError BAD_INPUT if its name cannot be resolved */
export async function checkFound(field: string, host: string, text: string, find: FindHost): Promise<void> {
  if (isAddress(host)) return;
  try {
    await find(host);
  } catch (error) {
    const { code = 'no answer' } = error as NodeJS.ErrnoException;
    const expected = `a host that can be found (${host}: ${code})`;
    throw badInput(field, expected, text, 'Check the name and the DNS server, or give its address');
  }
}
