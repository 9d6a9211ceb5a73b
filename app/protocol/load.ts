import type { Fact } from '../facts/fact';

/** One sample of one machine: each figure a mean, and each count a rise, over the second before `atNs`. */
export interface LoadSample {
  /** In a run's folder: the name of the machine; runs of an older version do not say it. */
  host?: string;
  /** In a run's folder: of another machine of the run than the one that recorded it, the id of its agent. */
  machine?: string;
  /** Monotonic clock, ns. */
  atNs: number;
  /** Wall clock, ms since 1970. */
  wallMs: number;
  /** Share of all cores that was busy. */
  cpuPercent: number | null;
  /** Share of its own time that the busiest core was busy: one full core can hold up a stream on an idle machine. */
  busiestCorePercent: number | null;
  /** Share of all cores that the hypervisor gave to others. */
  cpuStealPercent: number | null;
  gpuPercent: number | null;
  /** What programs that are not ours took of an engine of the GPU; runs of an older version do not have it. */
  gpuOthersPercent: number | null;
  memoryUsedMb: number | null;
  /**
   * Our own processes by what they do: "sending", "receiving", "console", "tools" (other programs that we run), a helper's …; null: none
   * of them runs. "ended": what processes that ended in this second had taken in it.
   */
  roles: Readonly<Record<string, RoleLoad | null>>;
  interfaces: InterfaceLoad[];
  /** What changed on the machine since the sample before. */
  changes: MachineChange[];
  /** Sums over the interfaces that lead out of the machine, and over loopback. */
  wireReceiveMbps: number | null;
  wireTransmitMbps: number | null;
  loopbackMbps: number | null;
  /** Of the interfaces that lead out of the machine and whose speed is known, the one nearest to it; null: there is none. */
  fullestLink: LinkUse | null;
  /** Packets with errors, and packets dropped, of the interfaces that lead out of the machine, both directions. */
  wireErrors: number | null;
  wireDropped: number | null;
  /** TCP segments sent again, whole machine: the kernel does not count them by interface. */
  tcpRetransmits: number | null;
  /** Streams that were open. */
  streams: number;
  /** Frames lost (dropped, undecodable or spoilt) over all streams in the second that ended a second ago. */
  lostPerSecond: number | null;
  /** End-to-end latency of the frames of all streams that were captured in this second; runs of an older version have none. */
  latencyP50Ms: number | null;
  latencyP99Ms: number | null;
  /** From the field's name to the reason why it is null. */
  notMeasured: Record<string, string>;
}

/** The reason for a figure that this system has for nobody: what cannot be known is no fault of the instrument. */
export const neverTold = 'this system never tells it';

/** Whatever streams do then, such a change may touch them. */
export const changeCodes = [
  ...(['wall-clock-step', 'machine-suspended', 'link-down', 'link-up', 'mtu-changed'] as const),
] as const;
export type ChangeCode = (typeof changeCodes)[number];

/**
 * `data`: `byMs`; `seconds`; `name` of the interface; of `link-down` and `link-up` what it carried just before it went of all traffic
 * outside, `trafficPercent`, and what the others carried, `elsewhereMbps`, where that is known; of `link-up` also how long it was down, `seconds`; `fromBytes`, `toBytes`.
 */
export interface MachineChange extends Fact<ChangeCode> {
  /** When it was seen, monotonic ns. */
  atNs: number;
}

export interface RoleLoad {
  cpuPercent: number;
  memoryMb: number;
  /** One of its processes was stopped, by a signal or a debugger, when the second began or ended. */
  stopped: boolean;
  /** That one, where it was stopped still when the second ended. */
  stoppedProcessId?: number;
  /** What the CPU time was spent on; null if the system does not report the time of threads. */
  parts: LoadPart[] | null;
  /** Of the busiest engine of the busiest GPU that tells its clients apart; absent if there is none. */
  gpuPercent?: number;
  /** Of its own sockets. Null: not measured. Absent of processes that carry no streams, and in runs of an older version. */
  traffic?: RoleTraffic | null;
}

/** Payload over TCP, what was sent again included. */
export interface RoleTraffic {
  sentMbps: number;
  receivedMbps: number;
}

/**
 * What our processes work on, in the order of a picture's way. Of the stream hosts, by thread; `runtime` are the threads
 * that are neither ours nor the SDK's (JavaScript, its helpers), `ended` threads that are gone by now; `ffmpeg` is a
 * process of its own. Of the console: the engine and the processes of the window.
 */
export const loadPartNames = [
  ...(['read', 'decode', 'ffmpeg', 'compose', 'send', 'receive', 'sdk'] as const),
  ...(['look', 'textures', 'check', 'content', 'runtime', 'ended', 'engine', 'window'] as const),
] as const;
export type LoadPartName = (typeof loadPartNames)[number];

export interface LoadPart {
  name: LoadPartName;
  /** Share of all cores. */
  cpuPercent: number;
  /** Threads that were there at the end of the second. */
  threads: number;
}

export interface LinkUse {
  name: string;
  /** Of the busier direction. */
  mbps: number;
  linkMbps: number;
}

export interface InterfaceLoad {
  name: string;
  loopback: boolean;
  receiveMbps: number;
  transmitMbps: number;
  /** Packets, both directions together. */
  errors: number;
  dropped: number;
  /** Packets that came damaged, or could not be sent. */
  receiveErrors: number;
  transmitErrors: number;
  /** Packets thrown away for lack of room, or since no program takes their protocol. */
  receiveDropped: number;
  transmitDropped: number;
  /** Speed of the link as its driver reports it. */
  linkMbps: number | null;
  /** Largest packet that it carries. */
  mtuBytes: number | null;
  /** From the field's name to the reason why it is null. */
  notMeasured: Record<string, string>;
}
