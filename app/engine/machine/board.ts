import type { HostEnvironment } from '../../protocol/environment';
import { askTool, isRoot, NotKnown, readText } from './facts';

/** The board, its memory and what runs it: Linux, from the firmware's tables. Other systems: untested, not reported. */

export function readMainboard(folder = '/sys/class/dmi/id'): HostEnvironment['mainboard'] {
  const field = (name: string): string | null => readText(`${folder}/${name}`) || null;
  const board = {
    vendor: field('board_vendor') ?? field('sys_vendor'),
    product: field('board_name') ?? field('product_name'),
    version: field('board_version') ?? field('product_version'),
    bios: [field('bios_vendor'), field('bios_version'), field('bios_date')].filter(Boolean).join(' ') || null,
  };
  if (Object.values(board).every((value) => value === null))
    throw new NotKnown(`the firmware reports nothing in ${folder}`);
  return board;
}

export async function readMemoryModules(): Promise<HostEnvironment['memoryModules']> {
  if (!isRoot()) throw new NotKnown('dmidecode needs root');
  return parseMemoryModules(await askTool('dmidecode', '-t', 'memory'));
}

/**
 * Of `dmidecode -t memory`: one for each module that is in a slot.
 * @throws NotKnown if the firmware lists no slots
 */
export function parseMemoryModules(output: string): NonNullable<HostEnvironment['memoryModules']> {
  const devices = output.split(/\n\s*\n/).filter((block) => /^Memory Device$/m.test(block));
  if (devices.length === 0) throw new NotKnown('the firmware lists no memory modules');
  return devices.flatMap((device) => {
    const field = (name: string): string | null => {
      const value = new RegExp(`^\\s+${name}: (.+)$`, 'm').exec(device)?.[1]?.trim() ?? '';
      return /^(Unknown|Not Specified|None|<OUT OF SPEC>|)$/i.test(value) ? null : value;
    };
    const [, size, unit] = /^(\d+) ([MGT])i?B$/.exec(field('Size') ?? '') ?? [];
    // An empty slot.
    if (size === undefined) return [];
    const factor = { M: 1, G: 1024, T: 1024 * 1024 }[unit as 'M' | 'G' | 'T'];
    const speed = /^(\d+) MT\/s$/.exec(field('Configured Memory Speed') ?? field('Speed') ?? '')?.[1];
    return [
      {
        place: field('Locator') ?? '',
        sizeMb: Number(size) * factor,
        kind: field('Type'),
        megatransfers: speed === undefined ? null : Number(speed),
        maker: field('Manufacturer'),
        part: field('Part Number'),
      },
    ];
  });
}

export async function readVirtualisation(): Promise<string | null> {
  try {
    return (await askTool('systemd-detect-virt')).trim();
  } catch (error) {
    // On the metal it says so, with exit status 1.
    if (/: none$/.test((error as Error).message)) return 'none';
    throw error;
  }
}
