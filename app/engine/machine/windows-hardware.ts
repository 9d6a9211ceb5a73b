import type { HostEnvironment, InterfaceEnvironment } from '../../protocol/environment';
import type { WindowsBooks } from '../load/windows-books';
import { NotKnown } from './facts';

/** What the machine is, by the books of Windows. What none of them has is said by name. */

type Asked<Name extends keyof WindowsBooks> = Pick<WindowsBooks, Name>;

const firmwareKey = 'HARDWARE\\DESCRIPTION\\System\\BIOS';
const versionKey = 'SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion';

export function mainboardOf({ registryText }: Asked<'registryText'>): HostEnvironment['mainboard'] {
  const field = (...names: string[]): string | null =>
    names.map((name) => registryText(firmwareKey, name)).find((text) => text !== null) ?? null;
  const bios = ['BIOSVendor', 'BIOSVersion', 'BIOSReleaseDate'].flatMap((name) => field(name) ?? []);
  const board = {
    vendor: field('BaseBoardManufacturer', 'SystemManufacturer'),
    product: field('BaseBoardProduct', 'SystemProductName'),
    version: field('BaseBoardVersion', 'SystemVersion'),
    bios: bios.join(' ') || null,
  };
  if (Object.values(board).every((value) => value === null))
    throw new NotKnown(`the firmware reports nothing in ${firmwareKey}`);
  return board;
}

/** Such as 23H2, build 22631.3447. */
export function editionOf({ registryText }: Asked<'registryText'>): string | null {
  const [release, build, update] = ['DisplayVersion', 'CurrentBuild', 'UBR'].map((name) =>
    registryText(versionKey, name),
  );
  if (!build) return null;
  const number = update ? `${build}.${update}` : build;
  return release ? `${release}, build ${number}` : `build ${number}`;
}

/** @throws NotKnown if Windows does not say it */
export function planOf({ powerPlan }: Asked<'powerPlan'>): string {
  const plan = powerPlan();
  if (plan === null) throw new NotKnown('Windows names no power plan');
  return plan;
}

/** STORAGE_BUS_TYPE of Windows' headers, as lsblk calls them. */
const buses: Readonly<Record<number, string>> = {
  ...{ 1: 'scsi', 3: 'ata', 7: 'usb', 8: 'raid', 9: 'iscsi', 10: 'sas', 11: 'sata' },
  ...{ 14: 'virtual', 16: 'spaces', 17: 'nvme' },
};

export function drivesOf({ drives }: Asked<'drives'>): NonNullable<HostEnvironment['drives']> {
  const found = drives();
  if (found.length === 0) throw new NotKnown('Windows opened no drive');
  return found.map(({ name, model, bus, bytes, rotating }) => ({
    ...{ name, model: model || null, bus: buses[bus] ?? null, rotating },
    sizeGb: bytes > 0 ? Math.round(bytes / 1e8) / 10 : null,
  }));
}

export function displaysOf({ displays }: Asked<'displays'>): NonNullable<HostEnvironment['displays']> {
  return displays().map(({ connector, width, height, refreshHz }) => ({
    ...{ connector, name: null, mode: `${width}x${height}` },
    // Windows writes 1 for what the card decides.
    refreshHz: refreshHz > 1 ? refreshHz : null,
  }));
}

/** Those that drive a display. */
export function gpusOf({ displays }: Asked<'displays'>): NonNullable<HostEnvironment['gpus']> {
  const names = new Set(displays().map(({ gpu }) => gpu));
  if (names.size === 0)
    throw new NotKnown('no display is in use, and Windows is asked for the cards of displays');
  return [...names].map((name) => ({ name, driver: null, driverVersion: null, bus: null }));
}

const notAsked = 'Whiteline does not read it on Windows';

/** In the place of what only Linux is asked for. */
export function notAskedOfWindows(): never {
  throw new NotKnown(notAsked);
}

export function interfacesOf({ interfaces }: Asked<'interfaces'>): InterfaceEnvironment[] {
  return interfaces().map(({ name, description, up, loopback, speedBps, mtuBytes }) => ({
    ...{ name, state: up ? 'up' : 'down', mtuBytes, driver: description || null },
    speedMbps: up && !loopback && speedBps !== null ? Math.round(speedBps / 1e6) : null,
    ...{ duplex: null, driverVersion: null, firmware: null, eee: null, pcie: null },
    notKnown: {
      duplex: notAsked,
      driverVersion: notAsked,
      firmware: notAsked,
      eee: notAsked,
      pcie: notAsked,
    },
  }));
}
