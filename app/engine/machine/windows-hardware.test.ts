import { expect, test } from 'vitest';
import {
  displaysOf,
  drivesOf,
  editionOf,
  gpusOf,
  interfacesOf,
  mainboardOf,
  planOf,
} from './windows-hardware';

const registry = (texts: Record<string, string>) => ({
  registryText: (_key: string, name: string) => texts[name] ?? null,
});

test('the board is what the firmware says, else the maker of the whole machine', () => {
  const texts = {
    SystemManufacturer: 'Maker',
    BaseBoardProduct: 'X1',
    BIOSVendor: 'AMI',
    BIOSVersion: '2.0',
  };
  expect(mainboardOf(registry(texts))).toEqual({
    ...{ vendor: 'Maker', product: 'X1', version: null, bios: 'AMI 2.0' },
  });
  expect(() => mainboardOf(registry({}))).toThrow(/the firmware reports nothing in HARDWARE/);
});

test('the edition has its build, and its release where Windows has one', () => {
  expect(editionOf(registry({ DisplayVersion: '23H2', CurrentBuild: '22631', UBR: '3447' }))).toBe(
    '23H2, build 22631.3447',
  );
  expect(editionOf(registry({ CurrentBuild: '19043' }))).toBe('build 19043');
  expect(editionOf(registry({}))).toBeNull();
});

test('drives are described as on Linux', () => {
  const drive = { name: 'PhysicalDrive0', model: 'Samsung 990', bus: 17, bytes: 2_000_398_934_016 };
  expect(drivesOf({ drives: () => [{ ...drive, rotating: false }] })).toEqual([
    { name: 'PhysicalDrive0', model: 'Samsung 990', bus: 'nvme', sizeGb: 2000.4, rotating: false },
  ]);
  expect(() => drivesOf({ drives: () => [] })).toThrow('Windows opened no drive');
});

test('a card that drives two displays is one card', () => {
  const display = { gpu: 'A card', width: 1920, height: 1080 };
  const displays = () => [
    { ...display, connector: '\\\\.\\DISPLAY1', refreshHz: 60 },
    { ...display, connector: '\\\\.\\DISPLAY2', refreshHz: 1 },
  ];
  expect(gpusOf({ displays }).map(({ name }) => name)).toEqual(['A card']);
  expect(displaysOf({ displays }).map(({ mode, refreshHz }) => [mode, refreshHz])).toEqual([
    ['1920x1080', 60],
    ['1920x1080', null],
  ]);
  expect(() => gpusOf({ displays: () => [] })).toThrow(/no display is in use/);
});

test('an interface that is down has no speed, and what Whiteline does not read is named', () => {
  const one = {
    ...{ name: 'Ethernet', description: 'A card', loopback: false, up: false, mtuBytes: 1500, speedBps: 1e9 },
    ...{ receiveBytes: 0, receiveErrors: 0, receiveDropped: 0 },
    ...{ transmitBytes: 0, transmitErrors: 0, transmitDropped: 0 },
  };
  const [told, up] = interfacesOf({ interfaces: () => [one, { ...one, up: true }] });
  expect([told?.state, told?.speedMbps, told?.driver]).toEqual(['down', null, 'A card']);
  expect(told?.notKnown).toHaveProperty('pcie', 'Whiteline does not read it on Windows');
  expect([up?.state, up?.speedMbps]).toEqual(['up', 1000]);
});

test('a power plan without a name is not known', () => {
  expect(planOf({ powerPlan: () => 'Ausbalanciert' })).toBe('Ausbalanciert');
  expect(() => planOf({ powerPlan: () => null })).toThrow('Windows names no power plan');
});
