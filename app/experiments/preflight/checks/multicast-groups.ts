import { z } from 'zod';
import { windowsBooks } from '../../../engine/load/windows-books';
import { NotKnown, readText } from '../../../engine/machine/facts';
import { readNdiConfiguration } from '../../../engine/machine/ndi-configuration';
import { notAskedOfWindows } from '../../../engine/machine/windows-hardware';
import { safeParse } from '../../../protocol/safe-parse';
import { type Check, NotFoundOut } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, unknown, warning } from '../line';
import { lined } from '../shared-reasons';

export interface GroupFacts {
  name: string;
  groups: string[];
  /** Of IGMP, as this machine speaks it: older where an older querier was heard. */
  version: number;
  /** NDI is set to send by multicast on this machine. */
  isMulticastSet: boolean;
}

/**
 * Of /proc/net/igmp: a line for each interface, and below it its groups as hexadecimal digits, last byte first. Null if
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
  const data = { name, groups: lined(groups), version };
  if (version === 1) return warning(foundOf('igmp-old', data), details);
  if (!isMulticastSet) return ok(foundOf('groups-not-needed', data), details);
  if (version === 2) return ok(foundOf('groups-with-querier', data), details);
  return unknown(foundOf('querier-not-seen', data), details);
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
    if (windowsBooks()) notAskedOfWindows();
    const own = parseIgmp(readText('/proc/net/igmp') ?? '', name);
    if (!own) throw new NotFoundOut(foundOf('groups-not-listed', { name }));
    return judgeGroups({ name, ...own, isMulticastSet: isMulticastSet() });
  },
};
