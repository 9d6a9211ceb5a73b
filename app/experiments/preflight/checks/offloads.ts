import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import { wantedOffloads } from '../card-reasons';
import { type Check, driverFacts } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';
import { lined } from '../shared-reasons';

export function judgeOffloads(name: string, { offloads, notKnown }: NetworkInterfaceFacts): Line {
  const known = wantedOffloads.map(({ feature }) => feature).filter((feature) => feature in offloads);
  if (known.length === 0)
    return unknown(foundOf('offloads-not-known', { name, why: notKnown.offloads ?? null }));
  const details = { offloads };
  const off = known.filter((feature) => !offloads[feature]);
  if (off.length === 0) return ok(foundOf('offloads', { name, features: lined(known) }), details);
  return warning(foundOf('offloads-off', { name, features: lined(off) }), details);
}

export const offloads: Check = {
  id: 'offloads',
  run: async (context) => judgeOffloads(context.interfaceName, driverFacts(context)),
};
