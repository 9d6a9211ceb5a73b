import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import { type Check, driverFacts } from '../check';

/** Work on packets that is done once for many: by the card, or by the kernel late. By the kernel's names and ethtool's. */
const wanted: readonly { feature: string; flag: string; text: string }[] = [
  { feature: 'tx-scatter-gather', flag: 'sg', text: 'scatter-gather' },
  { feature: 'tx-tcp-segmentation', flag: 'tso', text: 'TCP segmentation' },
  { feature: 'tx-generic-segmentation', flag: 'gso', text: 'generic segmentation' },
  { feature: 'rx-gro', flag: 'gro', text: 'generic receive' },
];

export function judgeOffloads(name: string, { offloads, notKnown }: NetworkInterfaceFacts): Line {
  const known = wanted.filter(({ feature }) => feature in offloads);
  if (known.length === 0) {
    return unknown(`the offloads of ${name} are not known: ${notKnown.offloads ?? 'no reason is reported'}`);
  }
  const details = { offloads };
  const off = known.filter(({ feature }) => !offloads[feature]);
  if (off.length === 0) return ok(`${name} offloads ${known.map(({ text }) => text).join(', ')}`, details);
  const found = `${name} does not offload ${off.map(({ text }) => text).join(', ')}`;
  const advice =
    'The processor handles each packet by itself then; put it on, unless the driver is known to be at fault';
  return warning(
    found,
    advice,
    `ethtool -K ${name} ${off.map(({ flag }) => `${flag} on`).join(' ')}`,
    details,
  );
}

export const offloads: Check = {
  id: 'offloads',
  run: async (context) => judgeOffloads(context.interfaceName, driverFacts(context)),
};
