import { expect, test } from 'vitest';
import { parseMemoryModules } from './board';
import { parseEdid, parseNvidia, parseXrandr } from './displays';
import { parseDrives } from './drives';
import { parseLldp } from './switches';

/** What tools of the system write, and what is made of it. */

const dmidecode = `# dmidecode 3.4
Getting SMBIOS data from sysfs.

Handle 0x0040, DMI type 16, 23 bytes
Physical Memory Array
	Location: System Board Or Motherboard

Handle 0x0041, DMI type 17, 92 bytes
Memory Device
	Size: 16 GB
	Locator: DIMM_A1
	Type: DDR5
	Speed: 5600 MT/s
	Manufacturer: Micron
	Part Number: CT16G56C46U5
	Configured Memory Speed: 4800 MT/s

Handle 0x0042, DMI type 17, 92 bytes
Memory Device
	Size: No Module Installed
	Locator: DIMM_A2

Handle 0x0043, DMI type 17, 92 bytes
Memory Device
	Size: 512 MB
	Locator: DIMM_B1
	Type: Unknown
	Speed: Unknown
	Manufacturer: Not Specified
`;

test('memory modules are those in their slots, at the speed that is set', () => {
  expect(parseMemoryModules(dmidecode)).toEqual([
    {
      ...{ place: 'DIMM_A1', sizeMb: 16_384, kind: 'DDR5', megatransfers: 4800 },
      ...{ maker: 'Micron', part: 'CT16G56C46U5' },
    },
    { place: 'DIMM_B1', sizeMb: 512, kind: null, megatransfers: null, maker: null, part: null },
  ]);
  expect(() => parseMemoryModules('# No SMBIOS nor DMI entry point found, sorry.')).toThrow(
    /no memory modules/,
  );
});

test('drives are disks with a size, and report their bus', () => {
  const disk = {
    name: 'sda',
    type: 'disk',
    size: 1_000_204_886_016,
    model: 'Samsung SSD ',
    tran: 'sata',
    rota: false,
  };
  const devices = [
    disk,
    { ...disk, name: 'nvme0n1', tran: null },
    { ...disk, name: 'vda', model: null, tran: null, rota: true },
    { ...disk, name: 'zram0', size: 0 },
    { ...disk, name: 'sr0', type: 'rom' },
  ];
  const drives = parseDrives(JSON.stringify({ blockdevices: devices }));
  expect(drives.map(({ name, bus }) => [name, bus])).toEqual([
    ['sda', 'sata'],
    ['nvme0n1', 'nvme'],
    ['vda', 'virtio'],
  ]);
  expect(drives[0]).toMatchObject({ model: 'Samsung SSD', sizeGb: 1000.2, rotating: false });
  expect(() => parseDrives('lsblk: failed')).toThrow(/lsblk wrote no JSON but "lsblk: failed"/);
  expect(() => parseDrives('{"blockdevices": [{"name": 3}]}')).toThrow(/do not understand/);
});

test('displays are those that are on, with the rate that is set', () => {
  const output = `Screen 0: minimum 8 x 8, current 5760 x 2160, maximum 32767 x 32767
DP-0 disconnected (normal left inverted right x axis y axis)
   640x480       59.94
HDMI-0 connected primary 3840x2160+0+0 (normal left inverted) 697mm x 392mm
   3840x2160     60.00*+  59.94    50.00
   1920x1080     60.00    59.94
DP-1 connected 1920x1080+3840+0 (normal) 527mm x 296mm
   1920x1080     60.00 +  144.00*
`;
  expect(parseXrandr(output)).toEqual([
    { connector: 'HDMI-0', name: null, mode: '3840x2160', refreshHz: 60 },
    { connector: 'DP-1', name: null, mode: '1920x1080', refreshHz: 144 },
  ]);
  expect(parseXrandr('')).toEqual([]);
});

test('a display’s own description reports its name and the mode that it prefers', () => {
  const edid = Buffer.alloc(128);
  edid.writeUInt32BE(0x00ffffff, 0);
  // 1920×1080 at 60 Hz: 148.5 MHz, 2200 × 1125 with what is blank. Source: CTA-861, mode 16.
  edid.writeUInt16LE(14_850, 54);
  edid.set([0x80, 0x18, 0x71, 0x38, 0x2d, 0x40], 56);
  edid.set([0, 0, 0, 0xfc, 0], 72);
  edid.write('STAGE LED\n   ', 77, 'latin1');
  expect(parseEdid(edid)).toEqual({ name: 'STAGE LED', mode: '1920x1080', refreshHz: 60 });
  expect(parseEdid(Buffer.alloc(128))).toBeNull();
  expect(parseEdid(edid.subarray(0, 100))).toBeNull();
});

test('what nvidia-smi lists, and what it does not', () => {
  expect(parseNvidia('NVIDIA RTX A4000, 550.54.14, 00000000:01:00.0\n')).toEqual([
    { name: 'NVIDIA RTX A4000', driver: 'nvidia', driverVersion: '550.54.14', bus: '00000000:01:00.0' },
  ]);
  expect(() => parseNvidia('Failed to initialize NVML')).toThrow(
    /nvidia-smi wrote "Failed to initialize NVML"/,
  );
});

test('switches are reported as they name themselves', () => {
  const neighbour = {
    name: 'eth0',
    chassis: [{ name: [{ value: 'stage-switch' }], descr: [{ value: 'M4250 firmware 13.0' }] }],
    port: [{ id: [{ type: 'local', value: '7' }], descr: [{ value: '1/0/7' }] }],
  };
  const answer = JSON.stringify({ lldp: [{ interface: [neighbour, { name: 'eth1' }] }] });
  expect(parseLldp(answer)).toEqual([
    { interface: 'eth0', name: 'stage-switch', description: 'M4250 firmware 13.0', port: '1/0/7' },
    { interface: 'eth1', name: null, description: null, port: null },
  ]);
  expect(parseLldp('{"lldp": [{}]}')).toEqual([]);
  expect(() => parseLldp('unable to connect')).toThrow(/lldpcli wrote no JSON/);
});
