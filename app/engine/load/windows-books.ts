import {
  type BookedInterface,
  type BookedProcess,
  loadMachineAddon,
  type MachineAddon,
} from '../../../native/addon/index';
import type { MachineCpu, ProcessTimes } from './cpu';
import type { ThreadTimes } from './threads';

const nsPerTick = 1e7;
const bytesPerMb = 1e6;

interface ThreadName {
  name: string;
  isSettled: boolean;
}

let opened: WindowsBooks | undefined;

/** What Windows says of this machine, where Linux writes it into /proc and /sys; null on other systems. */
export function windowsBooks(): WindowsBooks | null {
  if (process.platform !== 'win32') return null;
  opened ??= new WindowsBooks(loadMachineAddon());
  return opened;
}

/** Windows tells of all processes at once: one picture serves all who ask in one turn of the event loop. */
export class WindowsBooks {
  private isFresh = false;
  /** Of the threads of a process that were there when it was last asked for. */
  private readonly names = new Map<number, Map<number, ThreadName>>();

  constructor(private readonly addon: MachineAddon) {}

  cpu(): MachineCpu | null {
    const { idleNs, hasSeveralGroups } = this.addon.cores();
    if (idleNs.length === 0 || hasSeveralGroups) return null;
    const notBusyByCore = idleNs.map((ns) => ns / nsPerTick);
    const idle = notBusyByCore.reduce((sum, ticks) => sum + ticks, 0);
    return { idle, steal: null, cores: idleNs.length, notBusyByCore };
  }

  processIds(): number[] {
    this.renew();
    return this.addon.processIds();
  }

  processTimes(id: number): ProcessTimes | null {
    const booked = this.process(id);
    return booked && timesOf(booked);
  }

  processMemoryMb(id: number): number | null {
    const booked = this.process(id);
    return booked && booked.memoryBytes / bytesPerMb;
  }

  threadTimes(id: number): ThreadTimes | null {
    const booked = this.process(id);
    if (!booked) return null;
    const before = this.names.get(id);
    const names = new Map(booked.threads.map((thread) => [thread.id, this.nameOf(thread.id, before)]));
    this.names.set(id, names);
    return new Map(
      booked.threads.map((thread) => [
        `${thread.id}`,
        { name: names.get(thread.id)?.name ?? '', cpuNs: thread.cpuNs },
      ]),
    );
  }

  memoryUsedMb(): number | null {
    const memory = this.addon.memory();
    return memory && (memory.totalBytes - memory.availableBytes) / bytesPerMb;
  }

  interfaces = (): BookedInterface[] => this.addon.interfaces().filter(isCounted);

  tcpRetransmits(): number | null {
    return this.addon.tcpRetransmits();
  }

  gpuEngines(): ReturnType<MachineAddon['gpuEngines']> {
    return this.addon.gpuEngines();
  }

  registryText = (key: string, name: string): string | null => this.addon.registryText(key, name);
  registryTexts = (key: string): string[] => this.addon.registryTexts(key);
  powerPlan = (): string | null => this.addon.powerPlan();
  displays = (): ReturnType<MachineAddon['displays']> => this.addon.displays();
  drives = (): ReturnType<MachineAddon['drives']> => this.addon.drives();

  private process(id: number): BookedProcess | null {
    return this.renew() ? this.addon.process(id) : null;
  }

  private renew(): boolean {
    if (this.isFresh) return true;
    this.isFresh = this.addon.renewProcesses();
    queueMicrotask(() => {
      this.isFresh = false;
    });
    return this.isFresh;
  }

  /** A thread takes its name a moment after it begins, so that it is asked twice. */
  private nameOf(id: number, before: ReadonlyMap<number, ThreadName> | undefined): ThreadName {
    const known = before?.get(id);
    return known?.isSettled ? known : { name: this.addon.threadName(id), isSettled: known !== undefined };
  }
}

/** Windows adds up nothing for the process that started another. */
export function timesOf(booked: BookedProcess): ProcessTimes {
  return {
    name: booked.name.replace(/\.exe$/i, ''),
    ticks: booked.cpuNs / nsPerTick,
    childTicks: 0,
    startTicks: booked.startNs / nsPerTick,
    parentId: booked.parentId,
    threads: booked.threads.length,
    stopped: booked.stopped,
  };
}

/** Windows counts nothing that goes over loopback: such an interface stands at 0. */
function isCounted({ loopback, receiveBytes, transmitBytes }: BookedInterface): boolean {
  return !loopback || receiveBytes + transmitBytes > 0;
}
