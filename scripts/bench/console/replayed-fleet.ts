import type { FleetView, MachineFacts, MachineLine } from '../../../app/protocol/fleet/fleet-view';

/** A large site as the engine would report it at any second: every figure moves, some machines are gone or of another version. */

const machines = 1000;

export function fleetAt(second: number): FleetView {
  return {
    ...{ server: 'connected', problem: null, otherVersions: 'machine-24 runs Whiteline 0.0.9' },
    machines: Array.from({ length: machines }, (_, index) => lineAt(second, index)),
  };
}

function lineAt(second: number, index: number): MachineLine {
  const name = `machine-${index + 1}`;
  const id = String(index).padStart(16, '0');
  const wave = (top: number): number => (top * (1 + Math.sin(second + index))) / 2;
  if (index % 40 === 17)
    return {
      ...{ id, name, state: 'silent', silentSeconds: 40 + second, version: '0.1.0', console: null },
      ...{ problems: [], streams: null, figures: null },
    };
  const isOther = index % 40 === 23;
  return {
    ...{ id, name, state: 'connected', silentSeconds: 0.3, version: isOther ? '0.0.9' : '0.1.0' },
    console: index % 5 === 0 ? 'control-1, process 41532' : null,
    problems: isOther ? ['It runs Whiteline 0.0.9, and this console 0.1.0'] : [],
    streams: { senders: Math.round(wave(16)), receivers: 0 },
    figures: {
      ...{ cpuPercent: wave(100), gpuPercent: wave(100), memoryUsedMb: wave(64_000) },
      ...{ receiveMbps: wave(10_000), transmitMbps: wave(10_000) },
    },
  };
}

export function factsAt(second: number): MachineFacts {
  return {
    machine: {
      ...{
        hostName: 'machine-1',
        system: 'Linux 6.12.0 x64',
        board: 'ProArt X670E',
        cpuModel: 'AMD Ryzen 9',
        cores: 32,
      },
      ...{ memoryMb: 65_536, gpus: ['NVIDIA RTX 4000'], ndi: '6.3.2.0', notKnown: {} },
      interfaces: [{ name: 'eth0', state: 'up', speedMbps: 10_000 }],
    },
    limits: { streams: 64, format: null, minutes: null, logBytes: null },
    ...{ addresses: ['192.0.2.7'], uptimeSeconds: 86_400 + second, notMeasured: {} },
    clockUncertaintyMs: 0.3 + Math.sin(second) / 10,
  };
}
