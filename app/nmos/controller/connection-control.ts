import { WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import type { DeviceClient } from './device-client';
import type { SeenDevice } from './resources';
import { statusText, wrongAnswer } from './rest-client';

/** Where the Connection API of a device is (IS-05 Interoperability: IS-04, Discovery). */

const controlTypes = ['urn:x-nmos:control:sr-ctrl/v1.1', 'urn:x-nmos:control:sr-ctrl/v1.0'];

/**
 * Addresses without a slash at their end, in the device's order, those of v1.1 first; of v1.0 only at other hosts or ports. Empty: it
 * has none.
 */
export function connectionApisOf({ controls }: SeenDevice): string[] {
  const apis: string[] = [];
  for (const type of controlTypes) {
    const newer = new Set(apis.map((api) => new URL(api).origin));
    const hrefs = controls.filter((control) => control.type === type).map(({ href }) => href);
    apis.push(...hrefs.filter((href) => !newer.has(new URL(href).origin)));
  }
  return [...new Set(apis.map((href) => href.replace(/\/+$/, '')))];
}

/** Within it an address answers, or the next is asked. */
const nextAfterMs = 2000;

/**
 * Reads from a device, at the next of its addresses where one does not answer as it has to: another machine may have that address.
 * @param read at one address, within that time where there is another
 * @throws WhitelineError as `read` does; where it fails at several, with the reason of each
 */
export async function readAtOneOf<Result>(
  addresses: readonly string[],
  { id, label }: Pick<SeenDevice, 'id' | 'label'>,
  read: (address: string, timeoutMs?: number) => Promise<Result>,
): Promise<Result> {
  const problems: WhitelineError[] = [];
  for (const [index, address] of addresses.entries())
    try {
      return await read(address, index + 1 < addresses.length ? nextAfterMs : undefined);
    } catch (error) {
      if (!(error instanceof WhitelineError) || error.code === 'ABORTED') throw error;
      problems.push(error);
    }
  const [only, ...others] = problems;
  if (only && others.length === 0) throw only;
  throw new WhitelineError({
    code: problems.every(({ code }) => code === 'NOT_FOUND') ? 'NOT_FOUND' : 'TOOL_FAILED',
    message: `None of the ${problems.length} addresses of ${plainLine(label) || id} can be used: ${problems.map(({ message }) => message).join('; ')}`,
    ...{ field: 'device', value: id },
    remedy: 'Check that the device runs, and that its addresses in the registry are right',
  });
}

/**
 * The address at which the device gives this resource; a single one is not asked. Undefined: the device has none.
 * @param resource below the version of the API
 * @throws WhitelineError if no address gives it
 */
export async function apiThatHas(
  resource: string,
  device: SeenDevice,
  client: DeviceClient,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const apis = connectionApisOf(device);
  if (apis.length <= 1) return apis[0];
  return readAtOneOf(apis, device, async (api, timeoutMs) => {
    const url = `${api}/${resource}`;
    const answer = await client.ask({ method: 'GET', url, timeoutMs, signal });
    if (answer.status !== 200) throw wrongAnswer(url, 'a resource of IS-05', statusText(answer));
    return api;
  });
}
