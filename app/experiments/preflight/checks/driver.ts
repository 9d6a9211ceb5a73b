import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import { type Check, driverFacts } from '../check';

export function judgeDriver(name: string, { driver, notKnown }: NetworkInterfaceFacts): Line {
  if (!driver)
    return unknown(`${name} does not report its driver: ${notKnown.driver ?? 'no reason is reported'}`);
  const parts = [
    `${driver.name} ${driver.version}`.trim(),
    driver.firmware && `firmware ${driver.firmware}`,
    driver.bus && `at ${driver.bus}`,
  ];
  const found = `${name} is driven by ${parts.filter(Boolean).join(', ')}`;
  if (driver.bus.startsWith('usb-')) {
    const advice =
      'A card on USB shares its bus and costs processor time; use one on PCIe where frames count';
    return warning(found, advice, '', { ...driver });
  }
  return ok(found, { ...driver });
}

export const driver: Check = {
  id: 'driver',
  run: async (context) => judgeDriver(context.interfaceName, driverFacts(context)),
};
