import { networkInterfaces } from 'node:os';
import type { NodeResource } from './resources';

/** An interface of this machine, as resources name it. */
export interface MediaInterface {
  name: string;
  /** As NMOS writes it: 00-00-5e-00-53-07. */
  portId: string;
  addresses: string[];
}

/** Those that have one of these addresses; all for `0.0.0.0` and `::`. Addresses that only the link knows are left out. */
export function mediaInterfaces(hosts: readonly string[]): MediaInterface[] {
  const isAny = hosts.includes('0.0.0.0') || hosts.includes('::');
  return Object.entries(networkInterfaces()).flatMap(([name, entries = []]) => {
    const addresses = entries
      .map(({ address }) => address)
      .filter((address) => !/^fe80:/i.test(address) && (isAny || hosts.includes(address)));
    const [first] = entries;
    return first && addresses.length > 0
      ? [{ name, addresses, portId: first.mac.replaceAll(':', '-').toLowerCase() }]
      : [];
  });
}

export function interfaceResources(interfaces: readonly MediaInterface[]): NodeResource['interfaces'] {
  return interfaces.map(({ name, portId }) => ({ name, chassis_id: null, port_id: portId }));
}
