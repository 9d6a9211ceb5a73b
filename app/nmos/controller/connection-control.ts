import { WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import type { DeviceClient } from './device-client';
import type { SeenDevice } from './resources';

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
 * Asks a device, at the next of its addresses where one does not answer.
 * @param act asks at one address, within that time where there is another
 * @throws WhitelineError as `act` does; where no address answers, with the reason of each
 */
export async function atAddressThatAnswers<Result>(
  addresses: readonly string[],
  { id, label }: Pick<SeenDevice, 'id' | 'label'>,
  act: (address: string, timeoutMs?: number) => Promise<Result>,
): Promise<Result> {
  const silent: WhitelineError[] = [];
  for (const [index, address] of addresses.entries())
    try {
      return await act(address, index + 1 < addresses.length ? nextAfterMs : undefined);
    } catch (error) {
      if (!(error instanceof WhitelineError) || error.code !== 'NOT_FOUND') throw error;
      silent.push(error);
    }
  const [only, ...others] = silent;
  if (only && others.length === 0) throw only;
  throw new WhitelineError({
    code: 'NOT_FOUND',
    message: `The device ${plainLine(label) || id} answers at none of its ${silent.length} addresses: ${silent.map(({ message }) => message).join('; ')}`,
    ...{ field: 'device', value: id },
    remedy: 'Check that the device runs, and that its addresses in the registry are right',
  });
}

/** The one that answers; a single one is not asked. @throws WhitelineError as above */
export async function liveApi(
  client: DeviceClient,
  apis: readonly string[],
  device: SeenDevice,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (apis.length <= 1) return apis[0];
  return atAddressThatAnswers(apis, device, async (api, timeoutMs) => {
    await client.ask({ method: 'GET', url: `${api}/`, timeoutMs, signal });
    return api;
  });
}
