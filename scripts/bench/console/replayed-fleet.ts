import {
  type FleetView,
  type MachineFacts,
  type MachineLine,
  type MachineNow,
  packedNow,
} from '../../../app/protocol/fleet/fleet-view';

/** A large site as the engine would report it at any second: every figure moves, some machines are gone or of another version. */

const machines = 1000;
/** As many as are sent and received anew in a site where runs go on. */
const changedLines = 20;

/** The lines come whole with the first answer, and then those that changed. @param known revision of the lines that the window has */
export function fleetAt(second: number, known: number): FleetView {
  const revision = Math.floor(second) + 1;
  const isWhole = known === 0;
  const places = Array.from({ length: isWhole ? machines : changedLines }, (_, index) =>
    isWhole ? index : (revision * changedLines + index) % machines,
  );
  return {
    ...{ server: 'connected', problem: null, otherVersions: 'machine-24 runs Whiteline 0.0.9' },
    ...{ revision, isWhole, changed: places.map((at) => [at, lineAt(second, at)]) },
    moving: packedNow(Array.from({ length: machines }, (_, at) => nowAt(second, at))),
  };
}

const wave = (top: number, second: number, index: number): number =>
  (top * (1 + Math.sin(second + index))) / 2;
const isSilent = (index: number): boolean => index % 40 === 17;

function lineAt(second: number, index: number): MachineLine {
  const isOther = index % 40 === 23;
  return {
    ...{ id: String(index).padStart(16, '0'), name: `machine-${index + 1}` },
    ...{ state: isSilent(index) ? 'silent' : 'connected', version: isOther ? '0.0.9' : '0.1.0' },
    console: index % 5 === 0 ? 'control-1, process 41532' : null,
    problems: isOther ? ['It runs Whiteline 0.0.9, and this console 0.1.0'] : [],
    streams: isSilent(index) ? null : { senders: Math.round(wave(16, second, index)), receivers: 0 },
  };
}

function nowAt(second: number, index: number): MachineNow {
  if (isSilent(index)) return { silentSeconds: 40 + second, figures: null };
  const of = (top: number): number => wave(top, second, index);
  const figures = {
    ...{ cpuPercent: of(100), gpuPercent: of(100), receiveMbps: of(10_000), transmitMbps: of(10_000) },
  };
  return { silentSeconds: 0.3, figures };
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
