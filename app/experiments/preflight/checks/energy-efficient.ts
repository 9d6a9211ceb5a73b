import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import { type Check, driverFacts } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';

export function judgeEee(name: string, { eee, notKnown }: NetworkInterfaceFacts): Line {
  if (!eee) return unknown(foundOf('eee-not-known', { name, why: notKnown.eee ?? null }));
  const details = { ...eee };
  if (eee.active) return warning(foundOf('eee-active', { name }), details);
  return ok(foundOf(eee.enabled ? 'eee-on-one-end' : 'eee-off', { name }), details);
}

export const energyEfficient: Check = {
  id: 'energy-efficient',
  run: async (context) => judgeEee(context.interfaceName, driverFacts(context)),
};
