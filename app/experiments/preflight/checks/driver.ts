import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import { type Check, driverFacts } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';

export function judgeDriver(name: string, { driver, notKnown }: NetworkInterfaceFacts): Line {
  if (!driver) return unknown(foundOf('driver-not-known', { name, why: notKnown.driver ?? null }));
  const { version, firmware, bus } = driver;
  const data = { name, driver: driver.name, version, firmware, bus };
  if (bus.startsWith('usb-')) return warning(foundOf('driver-on-usb', data), { ...driver });
  return ok(foundOf('driver', data), { ...driver });
}

export const driver: Check = {
  id: 'driver',
  run: async (context) => judgeDriver(context.interfaceName, driverFacts(context)),
};
