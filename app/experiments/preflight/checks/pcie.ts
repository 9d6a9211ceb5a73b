import { interfaceFolder } from '../../../engine/machine/interfaces';
import { type Line, ok, problem, unknown, warning } from '../../../engine/machine/line';
import { type PcieLink, pcieMbps, readPcie } from '../../../engine/machine/pcie';
import type { Check } from '../check';

/** Headers of PCIe and what the driver itself asks for, above the packets. Source: packets of 256 bytes and 24 of header. */
const overhead = 1.1;

export function judgePcie(name: string, link: PcieLink, speedMbps: number | null): Line {
  const carried = pcieMbps(link);
  const details = { ...link, carriedMbps: carried, speedMbps };
  if (carried === null)
    return unknown(`the slot of ${name} does not report its lanes or their speed`, '', '', details);
  const lanes = `${link.width} ${link.width === 1 ? 'lane' : 'lanes'} of ${link.gigatransfers} GT/s`;
  const found = `${name} sits on ${lanes}, which carry ${Math.round(carried / 1000)} Gb/s`;
  const advice = 'Move the card to a slot with more lanes, or check the slot’s setting in the firmware';
  const look = `lspci -vv | grep -A 40 -i ethernet | grep LnkSta`;
  if (speedMbps !== null && carried < speedMbps * overhead)
    return problem(`${found}: less than its link of ${speedMbps} Mb/s needs`, advice, look, details);
  const isNarrow = link.width !== null && link.mostWidth !== null && link.width < link.mostWidth;
  if (isNarrow && speedMbps === null)
    return warning(`${found}; the card has ${link.mostWidth}`, advice, look, details);
  return ok(isNarrow ? `${found}: enough, though the card has ${link.mostWidth}` : found, details);
}

export const pcie: Check = {
  id: 'pcie',
  async run({ interfaceName, driver }) {
    const link = typeof driver === 'string' ? null : driver.link;
    return judgePcie(
      interfaceName,
      readPcie(`${interfaceFolder(interfaceName)}/device`),
      link?.speedMbps ?? null,
    );
  },
};
