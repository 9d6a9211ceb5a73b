/** One look at this machine: each figure a mean over the second before `atNs`. */
export interface LoadSample {
  /** Monotonic clock, ns. */
  atNs: number;
  /** Wall clock, ms since 1970. */
  wallMs: number;
  /** Share of all cores that was busy. */
  cpuPercent: number | null;
  /** Share of all cores that the hypervisor gave to others. */
  cpuStealPercent: number | null;
  gpuPercent: number | null;
  memoryUsedMb: number | null;
  /** Our own processes by what they do; share of all cores. */
  roles: Record<ProcessRole, RoleLoad | null>;
  interfaces: InterfaceLoad[];
  /** Sums over the interfaces that lead out of the machine, and over loopback. */
  wireReceiveMbps: number | null;
  wireTransmitMbps: number | null;
  loopbackMbps: number | null;
  /** TCP segments sent again in this second, whole machine. */
  tcpRetransmits: number | null;
  /** Streams that were open. */
  streams: number;
  /** Frames lost (dropped or undecodable) over all streams in the second that ended a second ago. */
  lostPerSecond: number | null;
  /** From the field's name to the reason why it is null. */
  notMeasured: Record<string, string>;
}

export const processRoles = ['sending', 'receiving', 'console'] as const;
export type ProcessRole = (typeof processRoles)[number];

export interface RoleLoad {
  cpuPercent: number;
  memoryMb: number;
}

export interface InterfaceLoad {
  name: string;
  loopback: boolean;
  receiveMbps: number;
  transmitMbps: number;
  errors: number;
  dropped: number;
}
