import { NotKnown, readText } from './facts';

/** How a card sits in its slot. */
export interface PcieLink {
  /** Lanes in use, and those that the card has; null if not reported. */
  width: number | null;
  mostWidth: number | null;
  /** GT/s of a lane. */
  gigatransfers: number | null;
  mostGigatransfers: number | null;
}

/** Share of the raw rate that carries data: 8b/10b up to 5 GT/s, 128b/130b above. Source: PCI Express base specification. */
const efficiencyAbove5 = 128 / 130;
const efficiencyTo5 = 0.8;

/**
 * Of a card's folder in sysfs.
 * @throws NotKnown for what is in no slot, such as a virtual or a USB card
 */
export function readPcie(deviceFolder: string): PcieLink {
  const number = (name: string): number | null => {
    const value = Number.parseFloat(readText(`${deviceFolder}/${name}`) ?? '');
    return Number.isFinite(value) && value > 0 ? value : null;
  };
  const link = {
    width: number('current_link_width'),
    mostWidth: number('max_link_width'),
    gigatransfers: number('current_link_speed'),
    mostGigatransfers: number('max_link_speed'),
  };
  if (link.width !== null || link.gigatransfers !== null) return link;
  throw new NotKnown('the card is in no PCIe slot that the system knows, as virtual ones are');
}

/** What the slot carries one way, Mb/s; null if width or speed is not known. */
export function pcieMbps({ width, gigatransfers }: PcieLink): number | null {
  if (width === null || gigatransfers === null) return null;
  return width * gigatransfers * 1000 * (gigatransfers > 5 ? efficiencyAbove5 : efficiencyTo5);
}
