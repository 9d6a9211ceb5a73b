import { windowsBooks } from '../../../engine/load/windows-books';
import { interfaceFolder } from '../../../engine/machine/interfaces';
import { type PcieLink, pcieMbps, readPcie } from '../../../engine/machine/pcie';
import { notAskedOfWindows } from '../../../engine/machine/windows-hardware';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, unknown, warning } from '../line';

/** Headers of PCIe and what the driver itself asks for, above the packets. Source: packets of 256 bytes and 24 of header. */
const overhead = 1.1;

export function judgePcie(name: string, link: PcieLink, speedMbps: number | null): Line {
  const carried = pcieMbps(link);
  const details = { ...link, carriedMbps: carried, speedMbps };
  const { width: lanes, mostWidth: cardLanes, gigatransfers } = link;
  if (carried === null || lanes === null || gigatransfers === null)
    return unknown(foundOf('slot-not-reported', { name }), details);
  const slot = { name, lanes, gigatransfers, carriedMbps: carried };
  if (speedMbps !== null && carried < speedMbps * overhead)
    return problem(foundOf('slot-too-slow', { ...slot, speedMbps }), details);
  if (cardLanes === null || lanes >= cardLanes) return ok(foundOf('slot', slot), details);
  if (speedMbps === null) return warning(foundOf('slot-narrow', { ...slot, cardLanes }), details);
  return ok(foundOf('slot-narrow-enough', { ...slot, cardLanes }), details);
}

export const pcie: Check = {
  id: 'pcie',
  async run({ interfaceName, driver }) {
    if (windowsBooks()) notAskedOfWindows();
    const link = typeof driver === 'string' ? null : driver.link;
    return judgePcie(
      interfaceName,
      readPcie(`${interfaceFolder(interfaceName)}/device`),
      link?.speedMbps ?? null,
    );
  },
};
