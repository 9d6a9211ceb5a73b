import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import { type Check, driverFacts } from '../check';

export function judgeEee(name: string, { eee, notKnown }: NetworkInterfaceFacts): Line {
  if (!eee) {
    const found = `it is not known whether ${name} sleeps between packets: ${notKnown.eee ?? 'no reason is reported'}`;
    return unknown(found, '', `ethtool --show-eee ${name}`);
  }
  const details = { ...eee };
  if (eee.active) {
    const found = `${name} and the other end of its cable sleep between packets (Energy-Efficient Ethernet)`;
    const advice = 'Waking up costs time at every burst; put it off here and on the switch';
    return warning(found, advice, `ethtool --set-eee ${name} eee off`, details);
  }
  if (eee.enabled) {
    const advice = 'The other end does not take part; put it off, so that another switch changes nothing';
    return { ...ok(`${name} would sleep between packets, and its link never does`, details), advice };
  }
  return ok(`Energy-Efficient Ethernet is off on ${name}`, details);
}

export const energyEfficient: Check = {
  id: 'energy-efficient',
  run: async (context) => judgeEee(context.interfaceName, driverFacts(context)),
};
