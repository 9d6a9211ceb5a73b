import { arch, cpus, hostname, release, type as systemType, totalmem, version } from 'node:os';
import type { HostEnvironment } from '../../protocol/environment';
import type { NativeHost } from '../capabilities/native-host';
import { windowsBooks } from '../load/windows-books';
import { readClockSync } from '../sessions/clock-sync';
import { readMainboard, readMemoryModules, readVirtualisation } from './board';
import { readDisplays, readGpus } from './displays';
import { readDrives } from './drives';
import { factOf, readText } from './facts';
import { readInterfaceEnvironments } from './interfaces';
import { readNdiConfiguration } from './ndi-configuration';
import { readGovernors, readPowerPlan } from './power';
import { readSwitches } from './switches';
import { readThreadPolicy } from './thread-policy';
import { readVersions } from './versions';
import {
  displaysOf,
  drivesOf,
  editionOf,
  gpusOf,
  interfacesOf,
  mainboardOf,
  notAskedOfWindows,
  planOf,
} from './windows-hardware';

export interface OwnVersions extends Record<string, string | null> {
  whiteline: string;
  /** Null if no runtime was loaded. */
  ndi: string | null;
}

/**
 * This machine as it is now. All is asked at once, each tool for two seconds at most; nothing that cannot be read is an
 * error. `host`: the host that can ask the drivers of the network cards, and knows its threads; null: none. `ours`: versions of what is ours.
 */
export async function readMachine(host: NativeHost | null, ours: OwnVersions): Promise<HostEnvironment> {
  const notKnown: Record<string, string> = {};
  const fact = <Fact>(name: string, read: () => Fact | null | Promise<Fact | null>): Promise<Fact | null> =>
    factOf(notKnown, name, read);
  const [processor] = cpus();
  const windows = windowsBooks();
  const facts = {
    virtualisation: fact('virtualisation', windows ? notAskedOfWindows : readVirtualisation),
    mainboard: fact('mainboard', () => (windows ? mainboardOf(windows) : readMainboard())),
    memoryModules: fact('memoryModules', windows ? notAskedOfWindows : readMemoryModules),
    drives: fact('drives', () => (windows ? drivesOf(windows) : readDrives())),
    gpus: fact('gpus', () => (windows ? gpusOf(windows) : readGpus())),
    displays: fact('displays', () => (windows ? displaysOf(windows) : readDisplays())),
    interfaces: windows ? interfacesOf(windows) : readInterfaceEnvironments(host),
    governors: fact('governors', () => (windows ? notAskedOfWindows() : readGovernors())),
    plan: fact('powerPlan', () => (windows ? planOf(windows) : readPowerPlan())),
    clockSync: fact('clockSync', () => readClockSync()),
    threadPolicy: fact('threadPolicy', () => readThreadPolicy(host)),
    ndiConfiguration: fact('ndiConfiguration', () => readNdiConfiguration()),
    switches: fact('switches', windows ? notAskedOfWindows : readSwitches),
    versions: readVersions(),
  };
  return {
    hostName: hostname(),
    system: `${systemType()} ${release()} ${arch()}`,
    kernel: version(),
    distribution: windows ? editionOf(windows) : distribution(),
    cpuModel: processor?.model.trim() ?? null,
    cores: cpus().length,
    memoryMb: Math.round(totalmem() / 1e6),
    virtualisation: await facts.virtualisation,
    mainboard: await facts.mainboard,
    memoryModules: await facts.memoryModules,
    drives: await facts.drives,
    gpus: await facts.gpus,
    displays: await facts.displays,
    interfaces: await facts.interfaces,
    power: { governors: await facts.governors, plan: await facts.plan },
    clockSync: await facts.clockSync,
    threadPolicy: await facts.threadPolicy,
    ndiConfiguration: await facts.ndiConfiguration,
    switches: await facts.switches,
    versions: { ...ours, ...(await facts.versions) },
    notKnown,
  };
}

function distribution(): string | null {
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(readText('/etc/os-release') ?? '')?.[1] ?? null;
}
