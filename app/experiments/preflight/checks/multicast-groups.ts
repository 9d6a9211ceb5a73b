import { z } from 'zod';
import { NotKnown, readText } from '../../../engine/machine/facts';
import { type Line, ok, unknown, warning } from '../../../engine/machine/line';
import { readNdiConfiguration } from '../../../engine/machine/ndi-configuration';
import { safeParse } from '../../../protocol/safe-parse';
import type { Check } from '../check';

export interface GroupFacts {
  name: string;
  groups: string[];
  /** Of IGMP, as this machine speaks it: older where an older querier was heard. */
  version: number;
  /** NDI is set to send by multicast on this machine. */
  isMulticastSet: boolean;
}

/**
 * Of /proc/net/igmp: a line for each interface, and below it its groups as hexadecimal digits, last byte first. Null where
 * the interface is not in it.
 */
export function parseIgmp(text: string, name: string): Pick<GroupFacts, 'groups' | 'version'> | null {
  let found: Pick<GroupFacts, 'groups' | 'version'> | null = null;
  let isHere = false;
  for (const line of text.split('\n').slice(1)) {
    const [, interfaceName, version] = /^\d+\s+(\S+)\s*:\s*\d+\s+V(\d)/.exec(line) ?? [];
    if (interfaceName !== undefined) {
      isHere = interfaceName === name;
      if (isHere) found = { groups: [], version: Number(version) };
      continue;
    }
    const bytes = /^\s+([0-9A-F]{8})\s/.exec(line)?.[1]?.match(/../g);
    if (isHere && bytes)
      found?.groups.push(
        bytes
          .reverse()
          .map((byte) => Number.parseInt(byte, 16))
          .join('.'),
      );
  }
  return found;
}

export function judgeGroups(facts: GroupFacts): Line {
  const { name, groups, version, isMulticastSet } = facts;
  const details = { ...facts };
  const found = `${name} is in ${groups.length === 1 ? '1 group' : `${groups.length} groups`} (${groups.join(', ')}), by IGMP version ${version}`;
  if (version === 1) {
    const advice =
      'An old querier keeps this machine at version 1, in which leaving takes minutes: check the switch';
    return warning(found, advice, `cat /proc/net/igmp`, details);
  }
  const querier =
    version === 2 ? 'a querier of version 2 was heard' : 'whether any querier is there cannot be seen';
  if (!isMulticastSet)
    return ok(`${found}; ${querier}, and NDI, which is not set to multicast, needs none`, details);
  if (version === 2) return ok(`${found}; ${querier}`, details);
  const advice =
    'NDI is set to multicast: see that the switch has IGMP snooping and a querier, or its streams go to every port';
  return unknown(`${found}; ${querier}`, advice, '', details);
}

const multicast = z.object({
  ndi: z.object({ multicast: z.object({ send: z.object({ enable: z.boolean() }) }) }),
});

function isMulticastSet(): boolean {
  try {
    const parsed = safeParse(multicast, readNdiConfiguration().settings);
    return parsed.success && parsed.data.ndi.multicast.send.enable;
  } catch (error) {
    if (error instanceof NotKnown) return false;
    throw error;
  }
}

export const multicastGroups: Check = {
  id: 'multicast-groups',
  async run({ interfaceName: name }) {
    const own = parseIgmp(readText('/proc/net/igmp') ?? '', name);
    if (!own) throw new NotKnown(`the kernel lists no groups of ${name}`);
    return judgeGroups({ name, ...own, isMulticastSet: isMulticastSet() });
  },
};
