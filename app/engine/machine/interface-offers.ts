import type { NetworkInterfaceInfo } from 'node:os';
import type { InterfaceEnvironment } from '../../protocol/environment';
import type { InterfaceOffer } from '../../protocol/network-interface';

/**
 * The interfaces of this machine as a list to choose from: those that are up and fast come first.
 * @param addresses by the interface, as the system lists them
 */
export function interfaceOffers(
  interfaces: readonly Pick<InterfaceEnvironment, 'name' | 'state' | 'speedMbps'>[],
  addresses: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): InterfaceOffer[] {
  const known = new Map(interfaces.map((each) => [each.name, each]));
  const names = [...new Set([...known.keys(), ...Object.keys(addresses)])];
  const offers = names.map((name): InterfaceOffer => {
    const { state = null, speedMbps = null } = known.get(name) ?? {};
    const own = addresses[name] ?? [];
    return {
      name,
      addresses: own.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
      speedMbps,
      isDown: state === 'down',
    };
  });
  return offers.sort(
    (one, other) =>
      Number(one.isDown) - Number(other.isDown) ||
      (other.speedMbps ?? 0) - (one.speedMbps ?? 0) ||
      one.name.localeCompare(other.name, 'en', { numeric: true }),
  );
}
