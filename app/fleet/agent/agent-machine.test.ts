import { expect, test } from 'vitest';
import { hostEnvironmentSchema } from '../../protocol/environment';
import { agentMachineOf } from './agent-machine';

const environment = hostEnvironmentSchema.parse({
  ...{
    hostName: 'render',
    system: 'Linux 6.1 x64',
    kernel: '#1',
    distribution: null,
    virtualisation: 'none',
  },
  ...{ cpuModel: 'Y', cores: 8, memoryMb: 16_000, memoryModules: null, drives: [], displays: [] },
  mainboard: { vendor: 'Maker', product: 'Board', version: null, bios: null },
  ...{ gpus: null, power: { governors: null, plan: null }, clockSync: null, threadPolicy: null },
  interfaces: [
    {
      ...{ name: 'eth0', state: 'up', mtuBytes: 1500, speedMbps: 10_000, duplex: 'full', driver: 'ixgbe' },
      ...{ driverVersion: null, firmware: null, eee: null, pcie: null, notKnown: {} },
    },
  ],
  ...{ ndiConfiguration: null, switches: null, versions: {} },
  notKnown: { gpus: 'the system does not report it', switches: 'lldpcli is not installed' },
});

const machine = {
  ...{ hostName: 'render', system: 'Linux 6.1 x64', board: 'Maker Board', cpuModel: 'Y', cores: 8 },
  ...{ memoryMb: 16_000, gpus: null, interfaces: [{ name: 'eth0', state: 'up', speedMbps: 10_000 }] },
};

test('a machine is what it is known to be, and why the rest is not known', () => {
  expect(agentMachineOf(environment, '6.2')).toEqual({
    ...{ ...machine, ndi: '6.2', notKnown: { gpus: 'the system does not report it' } },
  });
  const problem = {
    code: 'NDI_MISSING',
    message: 'No NDI runtime.\nTried:\n  /opt',
    remedy: 'Install it',
  } as const;
  expect(agentMachineOf({ ...environment, mainboard: null }, problem)).toEqual({
    ...{ ...machine, board: null, ndi: null },
    notKnown: { gpus: 'the system does not report it', ndi: 'No NDI runtime. Tried: /opt. Install it' },
  });
});
