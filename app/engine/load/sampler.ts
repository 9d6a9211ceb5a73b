import { cpus } from 'node:os';
import type { InterfaceLoad, LoadSample, ProcessRole, RoleLoad } from '../../protocol/load';
import { processRoles } from '../../protocol/load';
import { monotonicNs, wallMsOf } from '../clock';
import { type MachineCpu, readMachineCpu, readProcessTicks, ticksPerSecond } from './cpu';
import type { GpuSampler } from './gpu';
import { readMemoryUsedMb, readProcessMemoryMb } from './memory';
import { type InterfaceCounters, isLoopback, readInterfaces, readTcpRetransmits } from './network';

const sampleEveryMs = 500;
/** Each figure is a mean over this time: so many looks lie between the two that are compared. */
const looksBack = 2;

/** Everything that only ever rises, read at one moment. */
interface Look {
  atNs: number;
  machine: MachineCpu | null;
  roleTicks: Record<ProcessRole, Map<number, number>>;
  interfaces: InterfaceCounters[] | null;
  tcpRetransmits: number | null;
}

export interface SamplerOptions {
  wallOffsetUs: number;
  gpu: GpuSampler;
  processIds(role: ProcessRole): number[];
  openStreams(): number;
  /** Frames lost over all streams in the second that ended a second ago; null without a stream. */
  lostPerSecond(): number | null;
  onSample(sample: LoadSample): void;
}

const notOnThisSystem = 'not measured on this system: /proc is absent';

/** Looks at this machine twice a second. */
export class LoadSampler {
  private readonly looks: Look[] = [];
  private readonly cores = cpus().length || 1;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: SamplerOptions) {
    this.sample();
    this.timer = setInterval(() => this.sample(), sampleEveryMs);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const look = this.look();
    this.looks.push(look);
    if (this.looks.length <= looksBack) return;
    const before = this.looks.shift();
    if (before) this.options.onSample(this.compare(before, look));
  }

  private look(): Look {
    const ticks = (role: ProcessRole): Map<number, number> => {
      const byProcess = new Map<number, number>();
      for (const processId of this.options.processIds(role)) {
        const value = readProcessTicks(processId);
        if (value !== null) byProcess.set(processId, value);
      }
      return byProcess;
    };
    return {
      atNs: monotonicNs(),
      machine: readMachineCpu(),
      roleTicks: { sending: ticks('sending'), receiving: ticks('receiving'), console: ticks('console') },
      interfaces: readInterfaces(),
      tcpRetransmits: readTcpRetransmits(),
    };
  }

  private compare(before: Look, now: Look): LoadSample {
    const { gpu, wallOffsetUs } = this.options;
    const seconds = (now.atNs - before.atNs) / 1e9;
    const notMeasured: Record<string, string> = {};
    const missing = (field: string, reason: string): null => {
      notMeasured[field] = reason;
      return null;
    };
    const totalTicks = before.machine && now.machine ? now.machine.total - before.machine.total : 0;
    const share = (field: 'busy' | 'steal'): number | null =>
      before.machine && now.machine && totalTicks > 0
        ? (100 * (now.machine[field] - before.machine[field])) / totalTicks
        : null;
    const interfaces = compareInterfaces(before.interfaces ?? [], now.interfaces ?? [], seconds);
    const sum = (pick: (entry: InterfaceLoad) => number, loopback: boolean): number | null =>
      now.interfaces
        ? interfaces
            .filter((entry) => entry.loopback === loopback)
            .reduce((total, entry) => total + pick(entry), 0)
        : missing('network', notOnThisSystem);
    const roles = { sending: null, receiving: null, console: null } as LoadSample['roles'];
    for (const role of processRoles)
      roles[role] = this.roleLoad(before.roleTicks[role], now.roleTicks[role], seconds);
    const memoryUsedMb = readMemoryUsedMb();
    return {
      atNs: now.atNs,
      wallMs: wallMsOf(now.atNs, wallOffsetUs),
      cpuPercent: share('busy') ?? missing('cpuPercent', notOnThisSystem),
      cpuStealPercent: share('steal') ?? missing('cpuStealPercent', notOnThisSystem),
      gpuPercent: gpu.percent ?? missing('gpuPercent', gpu.reason),
      memoryUsedMb: memoryUsedMb ?? missing('memoryUsedMb', notOnThisSystem),
      roles,
      interfaces,
      wireReceiveMbps: sum((entry) => entry.receiveMbps, false),
      wireTransmitMbps: sum((entry) => entry.transmitMbps, false),
      loopbackMbps: sum((entry) => entry.transmitMbps, true),
      tcpRetransmits:
        before.tcpRetransmits !== null && now.tcpRetransmits !== null
          ? now.tcpRetransmits - before.tcpRetransmits
          : missing('tcpRetransmits', notOnThisSystem),
      streams: this.options.openStreams(),
      lostPerSecond: this.options.lostPerSecond(),
      notMeasured,
    };
  }

  private roleLoad(before: Map<number, number>, now: Map<number, number>, seconds: number): RoleLoad | null {
    if (now.size === 0) return null;
    let ticks = 0;
    let memoryMb = 0;
    for (const [processId, value] of now) {
      ticks += value - (before.get(processId) ?? value);
      memoryMb += readProcessMemoryMb(processId) ?? 0;
    }
    return { cpuPercent: (100 * ticks) / ticksPerSecond / seconds / this.cores, memoryMb };
  }
}

function compareInterfaces(
  before: InterfaceCounters[],
  now: InterfaceCounters[],
  seconds: number,
): InterfaceLoad[] {
  const loads: InterfaceLoad[] = [];
  for (const after of now) {
    const old = before.find((entry) => entry.name === after.name);
    if (!old) continue;
    const mbps = (bytes: number): number => (Math.max(0, bytes) * 8) / 1e6 / seconds;
    loads.push({
      name: after.name,
      loopback: isLoopback(after.name),
      receiveMbps: mbps(after.receiveBytes - old.receiveBytes),
      transmitMbps: mbps(after.transmitBytes - old.transmitBytes),
      errors: after.errors - old.errors,
      dropped: after.dropped - old.dropped,
    });
  }
  return loads;
}

/** The sample without its single interfaces: what is kept in memory for rows and charts. */
export function withoutInterfaces(sample: LoadSample): LoadSample {
  return { ...sample, interfaces: [] };
}
