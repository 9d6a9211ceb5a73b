import type { Addon } from '../../native/addon/index';
import { WhitelineError } from '../protocol/errors';
import type { NetworkInterfaceFacts } from '../protocol/network-interface';

/** @throws WhitelineError NOT_FOUND if no interface has this name */
export function networkInterface(addon: Addon, name: string): NetworkInterfaceFacts | null {
  try {
    return addon.networkInterfaceFacts(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'NOT_FOUND') throw error;
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: (error as Error).message,
      field: 'network-interface',
      value: name,
      remedy: 'See ip -brief link for those of this machine',
    });
  }
}
